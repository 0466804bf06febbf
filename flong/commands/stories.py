"""`flong stories`: list stories of several articles and trace their origin."""

import argparse
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from flong.command import DONE, Command, Group, add_json_argument
from flong.console import Row, harmless, say, show_rows
from flong.listing import whole_number
from flong.search import Descent
from flong.search.output import copy_line, copy_row
from flong.storage import Store
from flong.storage.search import Search, Story

CENTURY = 36_525
"""Maximum number of days to look back: dates have a first year."""


class StoriesCommand(Command):
    """List stories, or trace the origin of one."""

    group = Group.SEARCH
    summary: ClassVar[str] = "List stories of several articles; show origin and copies"
    arguments: ClassVar[str] = ""
    examples: ClassVar[str] = """
        flong stories
        flong stories --days 7 --limit 50 --json
        flong stories --story 12
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add a story or filters."""
        parser.add_argument(
            "--story", type=whole_number, metavar="N", help="trace the origin of story N"
        )
        parser.add_argument("--days", type=whole_number, metavar="N", help="of the last N days")
        most = "maximum stories, 0 for all (default: 20)"
        parser.add_argument("--limit", type=whole_number, default=20, metavar="N", help=most)
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print stories, those with most articles first, or the lineage of one."""
        if options.story is not None:
            rows = [_descent_row(each) for each in Search(store).lineage(options.story)]
            empty = f"There is no story {options.story}."
            show_rows(f"Story {options.story}", rows, as_json=options.json, empty=empty)
            return DONE
        days = min(options.days or 0, CENTURY)
        since = datetime.now(UTC) - timedelta(days=days) if days else None
        stories = Search(store).stories(since=since, limit=options.limit)
        if options.json:
            show_rows("", [_story_row(each) for each in stories], as_json=True, empty="")
            return DONE
        for story in stories:
            say(harmless(f"{story.id}: {story.title} ({len(story.members)} articles)"), "bold")
            for member in story.members:
                say(harmless(f"  {copy_line(member)}"))
        if not stories:
            say("No story has more than one article.")
        return DONE


def _story_row(story: Story) -> Row:
    members = [copy_row(member) for member in story.members]
    return {"story": story.id, "title": story.title, "articles": members}


def _descent_row(descent: Descent) -> Row:
    appearance = descent.appearance
    return {
        "article": appearance.key,
        "site": appearance.site,
        "relation": descent.relation.value,
        "appeared": appearance.time,
        "later": str(descent.delay),
        "copied": round(descent.copied, 3),
        "edited": list(appearance.edited),
        "taken_down": appearance.taken_down,
        "url": appearance.url,
    }
