"""The one door to the database."""

from typing import Self

from sqlalchemy import Engine

from flong.closable import Closable
from flong.storage.anchors import Aliases, Anchors
from flong.storage.article_pages import ArticlePages
from flong.storage.articles import Articles
from flong.storage.clusters import Clusters
from flong.storage.corrections import Corrections
from flong.storage.coverage import Coverage
from flong.storage.crawls import Crawls
from flong.storage.database import Connections
from flong.storage.dictionaries import Dictionaries
from flong.storage.engine import make_engine, migrate, require_database
from flong.storage.extractions import Extractions
from flong.storage.lists import Lists
from flong.storage.locks import Locks, LockSettings
from flong.storage.models import Models
from flong.storage.nights import Nights
from flong.storage.overview import Overview, Views
from flong.storage.pages import Pages
from flong.storage.patterns import Patterns
from flong.storage.pruning import Pruning
from flong.storage.reports import LookStates, Reports
from flong.storage.revisits import Revisits
from flong.storage.runs import Runs
from flong.storage.site_activity import SiteActivity
from flong.storage.sites import Sites


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
        self.corrections = Corrections(self)
        self.look_states = LookStates(self)
        self.activity = SiteActivity(self)
        self.views = Views(self)
        self.overview = Overview(self)
        self.lists = Lists(self)
        self.nights = Nights(self)
        self.coverage = Coverage(self)
        self.pruning = Pruning(self)

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
