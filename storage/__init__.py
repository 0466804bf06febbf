"""Keeps sites, pages, what was learned about them, and articles, in one SQL database."""

from storage.aliases import Alias
from storage.anchors import AnchorRow
from storage.article_pages import JoinedPage, ReadPage, TitledPage
from storage.articles import ArticleChoice, ArticleRow, ArticleVersion, Headline, TitleAndBody
from storage.clippings import Clipping
from storage.clusters import ClusterRow, MemberRow
from storage.corrections import CorrectionRow, NewCorrection
from storage.coverage import CoverageMonth, MissingPage, TemplateEra
from storage.crawls import ArticleFetches, HomeLinks, ReplacedArticle
from storage.database import batches
from storage.database_copy import CopiedTable, copy_database
from storage.errors import (
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
from storage.extractions import Decision, ExtractionRow, Merge, Merged, Standing
from storage.fleet_jobs import QUEUE, FleetJob, PlannedJob, Round, RoundTotals
from storage.lists import UNSURE, ArticleFilters, ArticleLine, PageFilters, PageLine
from storage.locks import LockSettings
from storage.look_states import SeenLook, about
from storage.models import GroupingRow
from storage.nights import NightArticle, NightPeriod
from storage.overview import (
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
from storage.pages import PageCounts, PageRow, VersionRow
from storage.patterns import Figures, PatternRow, WildcardRow
from storage.pruning import DiskUse
from storage.revisits import KnownPage
from storage.runs import Run, RunCounts
from storage.search_feed import search_feed
from storage.search_reader import Copy, Hit, Hits, Result, SearchResults, SearchSettings, Story
from storage.site_activity import DayOfArticles, FailedReason, LiveFigures
from storage.sites import Site, SiteSettings, site_name
from storage.store import Store

__all__ = [
    "QUEUE",
    "UNSURE",
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
    "Clipping",
    "ClusterFits",
    "ClusterLine",
    "ClusterRow",
    "CopiedTable",
    "Copy",
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
    "FleetJob",
    "FullDisk",
    "GroupingRow",
    "Headline",
    "Hit",
    "Hits",
    "HomeLinks",
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
    "PlannedJob",
    "ReadPage",
    "ReplacedArticle",
    "Result",
    "Round",
    "RoundTotals",
    "Run",
    "RunCounts",
    "Sample",
    "SearchResults",
    "SearchSettings",
    "SeenLook",
    "Site",
    "SiteMember",
    "SiteSettings",
    "SiteSummary",
    "SlowQuery",
    "Standing",
    "StorageError",
    "Store",
    "StoredReport",
    "Story",
    "TemplateEra",
    "TitleAndBody",
    "TitledPage",
    "UnknownClipping",
    "UnknownCorrection",
    "UnknownPage",
    "UnknownSite",
    "UnreadableDatabase",
    "VerdictCount",
    "VersionRow",
    "WildcardRow",
    "about",
    "batches",
    "copy_database",
    "search_feed",
    "site_name",
]
