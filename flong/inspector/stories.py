"""Views of stories: articles of one or more sites with much the same text."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import Depends
from fastapi import Query as Asked

from flong.inspector.database import NotThere, ReadOnlyDatabase
from flong.inspector.paging import Id
from flong.inspector.search import Limit
from flong.search import Descent
from flong.storage.search import Search, Story


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedStories:
    """Parameters of the list."""

    days: Annotated[int | None, Asked(ge=1, le=36500)] = None
    """Only stories with an article from this number of days; None for all."""
    limit: Limit = 20
    """Maximum number of stories."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoriesView:
    """The largest stories."""

    asked: AskedStories
    """Parameters of the list."""
    stories: list[Story]
    """Stories, most articles first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryView:
    """One story."""

    story: int
    """Id of the story."""
    members: list[Descent]
    """Articles in order of appearance."""


def view_stories(
    database: ReadOnlyDatabase, asked: Annotated[AskedStories, Depends()]
) -> StoriesView:
    """List the stories with the most articles."""
    since = datetime.now(UTC) - timedelta(days=asked.days) if asked.days else None
    stories = Search(database.store).stories(since=since, limit=asked.limit)
    return StoriesView(asked=asked, stories=stories)


def view_story(database: ReadOnlyDatabase, story_id: Id) -> StoryView:
    """List the articles of a story in order of appearance."""
    members = Search(database.store).lineage(story_id)
    if not members:
        raise NotThere(f"There is no story {story_id} in the database.")
    return StoryView(story=story_id, members=members)
