"""Keeps sites, pages, what was learned about them, and articles, in one SQL database."""

from storage.aliases import Alias
from storage.anchors import Anchor
from storage.articles import ArticleRow
from storage.clusters import ClusterRow, MemberRow
from storage.errors import (
    BusyDatabase,
    FullDisk,
    InvalidAddress,
    LockedSite,
    NewerDatabase,
    StorageError,
    UnknownPage,
    UnknownSite,
    UnreadableDatabase,
)
from storage.extractions import ExtractionRow
from storage.keeping import is_part
from storage.nights import ArticleVersion, Decision, Figures
from storage.pages import PageCounts
from storage.patterns import PatternRow, WildcardRow
from storage.reading import PageRow, Validators, VersionRow
from storage.recrawl import KnownPage
from storage.runs import Run, RunCounts
from storage.sites import Site, SiteSettings, site_name
from storage.store import Store

__all__ = [
    "Alias",
    "Anchor",
    "ArticleRow",
    "ArticleVersion",
    "BusyDatabase",
    "ClusterRow",
    "Decision",
    "ExtractionRow",
    "Figures",
    "FullDisk",
    "InvalidAddress",
    "KnownPage",
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
    "is_part",
    "site_name",
]
