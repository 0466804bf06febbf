"""Keeps sites, pages, what was learned about them, and articles, in one SQL database."""

from storage.anchors import Anchor
from storage.articles import ArticleRow, ExtractionRow
from storage.clusters import ClusterRow, MemberRow
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
from storage.patterns import PatternRow, WildcardRow
from storage.reading import PageRow, Validators, VersionRow
from storage.runs import Run, RunCounts
from storage.sites import Site, SiteSettings, site_name
from storage.store import Store

__all__ = [
    "Anchor",
    "ArticleRow",
    "BusyDatabase",
    "ClusterRow",
    "ExtractionRow",
    "InvalidAddress",
    "LockedSite",
    "MemberRow",
    "NewerDatabase",
    "PageCounts",
    "PageRow",
    "PatternRow",
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
    "VersionRow",
    "WildcardRow",
    "site_name",
]
