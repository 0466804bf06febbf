"""What the commands have stored, for programs: sites, their articles, their models.

SQLAlchemy is loaded when a database is opened, not before.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath

from flong.article import Article
from flong.closable import Closable
from flong.errors import FlongError
from flong.patterns import Anchor
from flong.program import program
from flong.site import SiteModel, load_model
from flong.urls import Scope


class Database(Closable):
    """A database that flong's commands have written; leaving a `with` block closes it."""

    def __init__(self, url: str) -> None:
        from flong.storage import Store  # noqa: PLC0415 - loads SQLAlchemy

        with _errors_translated():
            self.store = Store.open(url, create=False)

    def sites(self) -> list[str]:
        """Return the names of the sites that are stored."""
        with _errors_translated():
            return [site.name for site in self.store.sites.all()]

    def site(self, name: str) -> "StoredSite":
        """Return a site by its name, such as `news.example`, or by the URL of a page of it."""
        return StoredSite(self, name)

    def site_of(self, url: str) -> "StoredSite":
        """Return the site that a page belongs to, also as one of its sub-domains."""
        try:
            return StoredSite(self, url)
        except FlongError:
            for name in self.sites():
                site = StoredSite(self, name)
                if site.scope.canonical(url):
                    return site
            raise

    def close(self) -> None:
        """Give back the connections."""
        self.store.close()


class StoredSite:
    """A site in a database."""

    def __init__(self, database: Database, name: str) -> None:
        self._store = database.store
        with _errors_translated():
            self._site = self._store.sites.find(name)
        self.name = self._site.name
        """Its host without `www.`, with the port if it is an unusual one."""
        self.url = self._site.url
        """URL of its home page."""
        self.scope = Scope.of(self.url, subdomains=self._site.settings.subdomains)
        """Which URLs belong to it."""

    def articles(self) -> Iterator[Article]:
        """Yield the articles that were extracted, the latest first, without provenance."""
        with _errors_translated():
            for row in self._store.articles.all(self._site):
                yield row.article

    def model(self) -> SiteModel:
        """Return what was learned about the site, as a model that needs the database no more."""
        with _errors_translated():
            document = self._store.models.load(self._site)
            anchors: dict[str, list[Anchor]] = defaultdict(list)
            for anchor in self._store.anchors.of(self._site):
                if anchor.text:
                    anchors[anchor.url].append(Anchor(anchor.text, anchor.pages, anchor.source))
        if document is None:
            raise FlongError(f"{self.name} has not been learned yet: {program()} learn {self.name}")
        try:
            model = load_model(document)
        except ValueError as error:
            raise FlongError(
                f"Another version of flong has learned {self.name}: {program()} learn {self.name}"
            ) from error
        return SiteModel(model=model, scope=self.scope, anchors=dict(anchors))


def open(database: str | PathLike[str]) -> Database:
    """Open a database that flong's commands have written: its file, or its SQLAlchemy URL."""
    name = fspath(database)
    return Database(name if "://" in name else f"sqlite:///{name}")


@contextmanager
def _errors_translated() -> Iterator[None]:
    """Raise as `FlongError` what goes wrong with the database."""
    from flong.storage import StorageError  # noqa: PLC0415 - loads SQLAlchemy

    try:
        yield
    except StorageError as error:
        raise FlongError(str(error)) from error
