"""The one door to the database."""

from typing import Self

from sqlalchemy import Engine

from items import Closable
from storage.aliases import Aliases
from storage.anchors import Anchors
from storage.article_pages import ArticlePages
from storage.articles import Articles
from storage.clippings import Clippings
from storage.clusters import Clusters
from storage.corrections import Corrections
from storage.coverage import Coverage
from storage.crawls import Crawls
from storage.database import Connections
from storage.dictionaries import Dictionaries
from storage.engine import make_engine, migrate, require_database
from storage.extractions import Extractions
from storage.fleet_jobs import Fleet
from storage.lists import Lists
from storage.locks import Locks, LockSettings
from storage.look_states import LookStates
from storage.models import Models
from storage.nights import Nights
from storage.overview import Overview
from storage.pages import Pages
from storage.patterns import Patterns
from storage.pruning import Pruning
from storage.reports import Reports
from storage.revisits import Revisits
from storage.runs import Runs
from storage.search_index import SearchIndex
from storage.search_reader import Search
from storage.site_activity import SiteActivity
from storage.sites import Sites
from storage.views import Views


class Store(Connections, Closable):
    """Everything flong keeps, by subject.

    >>> with Store.open("sqlite://") as store:
    ...     store.sites.add("https://www.example.org/").name
    'example.org'
    """

    def __init__(self, engine: Engine, locking: LockSettings | None = None) -> None:
        super().__init__(engine)
        self.sites = Sites(self)
        self.locks = Locks(self, locking or LockSettings())
        self.runs = Runs(self)
        self.dictionaries = Dictionaries(self)
        self.pages = Pages(self, self.dictionaries)
        self.revisits = Revisits(self, self.dictionaries)
        self.crawls = Crawls(self, self.dictionaries)
        self.aliases = Aliases(self)
        self.anchors = Anchors(self, self.dictionaries)
        self.models = Models(self)
        self.clusters = Clusters(self)
        self.patterns = Patterns(self)
        self.extractions = Extractions(self)
        self.articles = Articles(self)
        self.article_pages = ArticlePages(self, self.dictionaries)
        self.reports = Reports(self)
        self.search = Search(self)
        self.search_index = SearchIndex(self)
        self.clippings = Clippings(self)
        self.corrections = Corrections(self)
        self.look_states = LookStates(self)
        self.activity = SiteActivity(self)
        self.views = Views(self)
        self.overview = Overview(self)
        self.lists = Lists(self)
        self.nights = Nights(self)
        self.coverage = Coverage(self)
        self.pruning = Pruning(self)
        self.fleet = Fleet(self)

    @classmethod
    def open(
        cls,
        url: str = "sqlite:///flong.db",
        *,
        create: bool = True,
        locking: LockSettings | None = None,
    ) -> Self:
        """Open a database, bring its schema to today's.

        If there is none it is created; unless `create`, that is a `MissingDatabase`. `locking` says
        how this process holds sites.
        """
        engine = make_engine(url)
        try:
            if not create:
                require_database(engine)
            migrate(engine)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, locking)

    def close(self) -> None:
        """Give back the connections."""
        self.engine.dispose()
