"""What a site announces against what is stored of it, and since when it looks as it does."""

from dataclasses import dataclass

from sqlalchemy import text

from flong.storage.database import Repository
from flong.storage.sites import Site

ERAS = """
    SELECT pattern_id, cluster_id, kind, articles, dated, first_day, last_day, retired_at
    FROM v_template_era WHERE site = :site
    ORDER BY coalesce(last_day, '') DESC, coalesce(first_day, '') DESC, pattern_id
"""
MONTHS = """
    SELECT month, source, announced, stored, articles, missing
    FROM v_coverage WHERE site = :site ORDER BY month DESC, source DESC
"""
MISSING = """
    SELECT url, source, month, state, announced_at
    FROM v_announced
    WHERE site = :site AND state NOT IN ('article', 'no_article', 'unread')
        AND (:month = '' OR month = :month)
    ORDER BY CASE source WHEN 'archive' THEN 1 ELSE 0 END, month DESC, url LIMIT :most
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateEra:
    """The time in which articles of one pattern were published."""

    pattern_id: int
    """Id of the pattern."""
    cluster_id: int | None
    """Id of its cluster; None if that was removed."""
    kind: str
    """What its pages are: `article`, `mixed` or `other`."""
    articles: int
    """Its articles."""
    dated: int
    """Those whose date is known."""
    first_day: str | None
    """Day on which the first of them was published, `2026-05-01`, in UTC; None if not known."""
    last_day: str | None
    """Day of the last of them."""
    retired_at: str | None
    """When the pattern was replaced; None while it is in force."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageMonth:
    """What one source announced for one month, and what of it is stored."""

    month: str
    """`2026-05`, by the date of the article, else by what the source says; empty if not known."""
    source: str
    """`sitemap`, `feed`, or `archive` for what only the site's own pages lead to."""
    announced: int
    """URLs that were announced."""
    stored: int
    """Those whose page is stored."""
    articles: int
    """Those that gave an article."""
    missing: int
    """Those whose page is not stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingPage:
    """A URL that was announced and whose page is not stored."""

    url: str
    """The URL."""
    source: str
    """What announced it."""
    month: str
    """For which month."""
    state: str
    """Why: `missing` (never asked for), `no_page` (it leads nowhere), or what became of it."""
    announced_at: str | None
    """The date that the source gives."""


class Coverage(Repository):
    """Answers what is there of a site, and what is not."""

    def eras(self, site: Site) -> list[TemplateEra]:
        """Return the times of the patterns of a site, the latest first."""
        return self._read(TemplateEra, text(ERAS), {"site": site.name})

    def months(self, site: Site) -> list[CoverageMonth]:
        """Return what was announced and what is stored, the latest month first."""
        return self._read(CoverageMonth, text(MONTHS), {"site": site.name})

    def missing(self, site: Site, *, month: str = "", most: int = 100) -> list[MissingPage]:
        """Return URLs that are not stored, of a month or of all, those of archives last."""
        values = {"site": site.name, "month": month, "most": most}
        return self._read(MissingPage, text(MISSING), values)
