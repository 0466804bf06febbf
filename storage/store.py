"""The one door to the database."""

from types import TracebackType
from typing import Self

from storage.aliases import AliasStore
from storage.anchors import AnchorStore
from storage.articles import ArticleStore
from storage.clusters import ClusterStore
from storage.engine import make_engine, migrate
from storage.missing import MissingStore
from storage.models import ModelStore
from storage.nights import NightStore
from storage.pages import PageStore
from storage.patterns import PatternStore
from storage.reading import PageReader
from storage.recrawl import RecrawlStore
from storage.runs import RunStore
from storage.sites import SiteStore
from storage.views import ViewReader


class Store(
    SiteStore,
    RunStore,
    PageStore,
    PageReader,
    RecrawlStore,
    AliasStore,
    AnchorStore,
    ClusterStore,
    PatternStore,
    ModelStore,
    ArticleStore,
    NightStore,
    MissingStore,
    ViewReader,
):
    """Everything flong keeps; the subjects are in the classes it is made of.

    >>> with Store.open("sqlite://") as store:
    ...     store.add_site("https://www.example.org/").name
    'example.org'
    """

    @classmethod
    def open(cls, url: str = "sqlite:///flong.db") -> Self:
        """Open a database, create it if there is none, bring its schema to today's."""
        engine = make_engine(url)
        try:
            migrate(engine)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine)

    def close(self) -> None:
        """Give back the connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
