"""`Store`: the database with one repository per subject."""

from typing import Self

from sqlalchemy import Engine

from flong.closable import Closable
from flong.storage.articles import Articles
from flong.storage.database import Connections
from flong.storage.documents import Documents
from flong.storage.engine import make_engine, migrate, require_database
from flong.storage.extractions import Extractions
from flong.storage.links import Links
from flong.storage.lists import Lists
from flong.storage.locks import Locks, LockSettings
from flong.storage.marks import Marks
from flong.storage.nights import Nights
from flong.storage.overview import Overview
from flong.storage.pages import Pages
from flong.storage.runs import Runs
from flong.storage.sites import Sites
from flong.storage.templates import Templates


class Store(Connections, Closable):
    """The database, with one repository per subject.

    >>> with Store.open("sqlite://") as store:
    ...     store.sites.add("https://www.example.org/").name
    'example.org'
    """

    def __init__(self, engine: Engine, locking: LockSettings | None = None) -> None:
        super().__init__(engine)
        self.sites = Sites(self)
        self.locks = Locks(self, locking or LockSettings())
        self.documents = Documents(self)
        self.runs = Runs(self, self.documents)
        self.pages = Pages(self, self.documents)
        self.links = Links(self, self.documents)
        self.templates = Templates(self)
        self.extractions = Extractions(self)
        self.articles = Articles(self, self.documents)
        self.overview = Overview(self)
        self.lists = Lists(self)
        self.nights = Nights(self)
        self.marks = Marks(self)

    @classmethod
    def open(
        cls,
        url: str = "sqlite:///flong.db",
        *,
        create: bool = True,
        locking: LockSettings | None = None,
    ) -> Self:
        """Open a database and migrate it to the current schema.

        A missing database is created, unless `create` is False: then `MissingDatabase` is raised.
        `locking` sets how this process holds sites.
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
        """Close all connections."""
        self.engine.dispose()
