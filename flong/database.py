"""Databases for programs: stored sites, their articles and models.

SQLAlchemy is imported when a database is opened.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath

from flong.article import Article
from flong.closable import Closable
from flong.errors import FlongError
from flong.program import program
from flong.site import SiteModel, load_model
from flong.urls import Scope


class Database(Closable):
    """A database written by flong's commands; a context manager."""

    def __init__(self, url: str) -> None:
        from flong.storage import Store  # noqa: PLC0415 - loads SQLAlchemy

        with _errors_translated():
            self.store = Store.open(url, create=False)

    def sites(self) -> list[str]:
        """Return the names of the stored sites."""
        with _errors_translated():
            return [site.name for site in self.store.sites.all()]

    def site(self, name: str) -> "StoredSite":
        """Return a site by name, such as `news.example`, or by the URL of one of its pages."""
        return StoredSite(self, name)

    def site_of(self, url: str) -> "StoredSite":
        """Return the site of a page, which may be on a subdomain."""
        try:
            return StoredSite(self, url)
        except FlongError:
            for name in self.sites():
                site = StoredSite(self, name)
                if site.scope.canonical(url):
                    return site
            raise

    def close(self) -> None:
        """Close all connections."""
        self.store.close()


class StoredSite:
    """A site in a database."""

    def __init__(self, database: Database, name: str) -> None:
        self._store = database.store
        with _errors_translated():
            self._site = self._store.sites.find(name)
        self.name = self._site.name
        """Host without `www.`, with the port if it is not the default."""
        self.url = self._site.url
        """URL of its home page."""
        self.scope = Scope.of(self.url, subdomains=self._site.settings.subdomains)
        """URLs that belong to the site."""

    def articles(self) -> Iterator[Article]:
        """Yield the extracted articles, the latest first, without provenance."""
        with _errors_translated():
            for row in self._store.articles.all(self._site):
                yield row.article

    def model(self) -> SiteModel:
        """Return the site's model, which can be used without the database."""
        with _errors_translated():
            document = self._store.templates.model(self._site)
            anchors = self._store.links.anchors_by_url(self._site)
        if document is None:
            raise FlongError(
                f"{self.name} has not been learned yet. Run: {program()} learn {self.name}"
            )
        try:
            model = load_model(document)
        except ValueError as error:
            raise FlongError(
                f"Another version of flong learned {self.name}. Run: {program()} learn {self.name}"
            ) from error
        return SiteModel(model=model, scope=self.scope, anchors=dict(anchors))


def open(database: str | PathLike[str]) -> Database:
    """Open a database written by flong's commands: a file or an SQLAlchemy URL."""
    name = fspath(database)
    return Database(name if "://" in name else f"sqlite:///{name}")


@contextmanager
def _errors_translated() -> Iterator[None]:
    """Raise storage errors as `FlongError`."""
    from flong.storage import StorageError  # noqa: PLC0415 - loads SQLAlchemy

    try:
        yield
    except StorageError as error:
        raise FlongError(str(error)) from error
