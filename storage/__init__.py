"""Keeps sites, pages, what was learned about them, and articles, in one SQL database."""

from storage.anchors import Anchor
from storage.errors import (
    BusyDatabase,
    InvalidAddress,
    LockedSite,
    NewerDatabase,
    StorageError,
    UnknownPage,
    UnknownSite,
    UnreadableDatabase,
)
from storage.pages import PageCounts
from storage.reading import PageRow, Validators
from storage.runs import Run, RunCounts
from storage.sites import Site, SiteSettings, site_name
from storage.store import Store

__all__ = [
    "Anchor",
    "BusyDatabase",
    "InvalidAddress",
    "LockedSite",
    "NewerDatabase",
    "PageCounts",
    "PageRow",
    "Run",
    "RunCounts",
    "Site",
    "SiteSettings",
    "StorageError",
    "Store",
    "UnknownPage",
    "UnknownSite",
    "UnreadableDatabase",
    "Validators",
    "site_name",
]
