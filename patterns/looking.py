"""What learning sees on one page: its fields, and the signs that it is an article."""

from dataclasses import dataclass

from patterns.fields import Fields, Source, read_fields
from patterns.headlines import Called
from patterns.labelled import LabelledPattern
from patterns.labels import Labels, fits, read_page, with_title
from patterns.match import Match
from patterns.metadata import read_metadata
from patterns.signs import Sense, see
from patterns.verdict import Point, judge, weigh
from trees import SitePage


@dataclass(frozen=True, eq=False, slots=True)
class Seen:
    """What is seen on one page."""

    points: tuple[Point, ...]
    """For and against its being an article."""
    fits: bool
    """Whether title and body are where the labels say."""
    fields: Fields
    """What is read."""
    linked_title: bool
    """Whether its title is a link."""

    @property
    def total(self) -> float:
        """All points together."""
        return sum(point.points for point in self.points)

    def is_accepted(self, known: LabelledPattern) -> bool:
        """Say whether it would be taken for an article as a page of this pattern."""
        return judge(self.points, known.fitting if self.fits else known.other).article


def look(page: SitePage, called: Called, labels: Labels, fit: Match | None, sense: Sense) -> Seen:
    """Return what is seen on a page, with labels, and how it fits their pattern."""
    reading = read_page(page.tree, labels, fit.start if fit else None)
    reading = with_title(reading, page.tree, labels, called)
    source = Source(
        url=page.url,
        tree=page.tree,
        reading=reading,
        labels=labels,
        called=called,
        metadata=read_metadata(page.tree.head),
        match=fit,
    )
    fields = read_fields(source)
    signs = see(source, fields, sense)
    return Seen(weigh(signs, sense.norms), fits(reading, labels), fields, signs.linked_title)
