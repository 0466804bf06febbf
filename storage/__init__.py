"""Keeps sites, pages, what was learned about them, and articles, in one SQL database."""

from flong.storage.anchors import Alias, AnchorRow
from flong.storage.article_pages import JoinedPage, ReadPage, TitledPage
from flong.storage.articles import ArticleChoice, ArticleRow, ArticleVersion, Headline, TitleAndBody
from flong.storage.clusters import ClusterRow, MemberRow
from flong.storage.corrections import CorrectionRow, NewCorrection
from flong.storage.coverage import CoverageMonth, MissingPage, TemplateEra
from flong.storage.crawls import ArticleFetches, ReplacedArticle
from flong.storage.database import batches
from flong.storage.database_copy import copy_database
from flong.storage.errors import (
    BusyDatabase,
    DifferentCopy,
    FleetError,
    FullDisk,
    InvalidUrl,
    LockedSite,
    MissingDatabase,
    NewerDatabase,
    OccupiedDatabase,
    SlowQuery,
    StorageError,
    UnknownClipping,
    UnknownCorrection,
    UnknownPage,
    UnknownSite,
    UnreadableDatabase,
)
from flong.storage.extractions import Decision, ExtractionRow, Merge, Merged, Standing
from flong.storage.lists import ArticleFilters, ArticleLine, PageFilters, PageLine
from flong.storage.locks import LockSettings
from flong.storage.models import GroupingRow
from flong.storage.nights import NightArticle, NightPeriod
from flong.storage.overview import (
    Acceptance,
    ClusterFits,
    ClusterLine,
    DayOfWork,
    DepthPart,
    MemberLine,
    PatternLine,
    Sample,
    SiteMember,
    SiteSummary,
    StoredReport,
    VerdictCount,
)
from flong.storage.pages import PageCounts, PageRow
from flong.storage.patterns import Figures, PatternRow, WildcardRow
from flong.storage.pruning import DiskUse
from flong.storage.reports import about
from flong.storage.revisits import KnownPage
from flong.storage.runs import Run, RunCounts
from flong.storage.site_activity import DayOfArticles, FailedReason, LiveFigures
from flong.storage.sites import Site, SiteSettings, site_name
from flong.storage.store import Store

__all__ = [
    "Acceptance",
    "Alias",
    "AnchorRow",
    "ArticleChoice",
    "ArticleFetches",
    "ArticleFilters",
    "ArticleLine",
    "ArticleRow",
    "ArticleVersion",
    "BusyDatabase",
    "ClusterFits",
    "ClusterLine",
    "ClusterRow",
    "CorrectionRow",
    "CoverageMonth",
    "DayOfArticles",
    "DayOfWork",
    "Decision",
    "DepthPart",
    "DifferentCopy",
    "DiskUse",
    "ExtractionRow",
    "FailedReason",
    "Figures",
    "FleetError",
    "FullDisk",
    "GroupingRow",
    "Headline",
    "InvalidUrl",
    "JoinedPage",
    "KnownPage",
    "LiveFigures",
    "LockSettings",
    "LockedSite",
    "MemberLine",
    "MemberRow",
    "Merge",
    "Merged",
    "MissingDatabase",
    "MissingPage",
    "NewCorrection",
    "NewerDatabase",
    "NightArticle",
    "NightPeriod",
    "OccupiedDatabase",
    "PageCounts",
    "PageFilters",
    "PageLine",
    "PageRow",
    "PatternLine",
    "PatternRow",
    "ReadPage",
    "ReplacedArticle",
    "Run",
    "RunCounts",
    "Sample",
    "Site",
    "SiteMember",
    "SiteSettings",
    "SiteSummary",
    "SlowQuery",
    "Standing",
    "StorageError",
    "Store",
    "StoredReport",
    "TemplateEra",
    "TitleAndBody",
    "TitledPage",
    "UnknownClipping",
    "UnknownCorrection",
    "UnknownPage",
    "UnknownSite",
    "UnreadableDatabase",
    "VerdictCount",
    "WildcardRow",
    "about",
    "batches",
    "copy_database",
    "site_name",
]
