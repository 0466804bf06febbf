"""Keeps sites, pages, what was learned about them, and articles, in one SQL database."""

from storage.aliases import Alias
from storage.anchors import AnchorRow
from storage.article_pages import ArticlePage, ReadPage, TitledPage
from storage.articles import ArticleChoice, ArticleRow, ArticleVersion, Headline, TitleAndBody
from storage.clippings import Clipping
from storage.clusters import ClusterRow, MemberRow
from storage.corrections import CorrectionRow, NewCorrection
from storage.coverage import CoverageMonth, MissingPage, TemplateEra
from storage.crawls import ArticleFetches, HomeLinks, ReplacedArticle
from storage.database import batches
from storage.errors import (
    BusyDatabase,
    FullDisk,
    InvalidUrl,
    LockedSite,
    MissingDatabase,
    NewerDatabase,
    SlowQuery,
    StorageError,
    UnknownClipping,
    UnknownCorrection,
    UnknownPage,
    UnknownSite,
    UnreadableDatabase,
)
from storage.extractions import Decision, ExtractionRow, Merge, Merged, Standing
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
    "UNSURE",
    "Acceptance",
    "Alias",
    "AnchorRow",
    "ArticleChoice",
    "ArticleFetches",
    "ArticleFilters",
    "ArticleLine",
    "ArticlePage",
    "ArticleRow",
    "ArticleVersion",
    "BusyDatabase",
    "Clipping",
    "ClusterFits",
    "ClusterLine",
    "ClusterRow",
    "Copy",
    "CorrectionRow",
    "CoverageMonth",
    "DayOfArticles",
    "DayOfWork",
    "Decision",
    "DepthPart",
    "DiskUse",
    "ExtractionRow",
    "FailedReason",
    "Figures",
    "FullDisk",
    "GroupingRow",
    "Headline",
    "Hit",
    "Hits",
    "HomeLinks",
    "InvalidUrl",
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
    "PageCounts",
    "PageFilters",
    "PageLine",
    "PageRow",
    "PatternLine",
    "PatternRow",
    "ReadPage",
    "ReplacedArticle",
    "Result",
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
    "search_feed",
    "site_name",
]
