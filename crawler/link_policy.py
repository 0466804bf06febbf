"""Which links are worth following: the policy, without network or clock."""

import re
from collections import Counter, defaultdict
from urllib.parse import unquote

NOT_PAGES = frozenset(
    "3gp 7z 7zip aac ai aiff apk asf asx atom au avi avif axd bat bin bmp bz2 cdr cpl css csv dmg"
    " doc docb docm docx dotm dotx drw dxf eot eps epub exe flv gif gz heic hta ico ics iso jar"
    " jfif jpeg jpg js json jsonld kml m3u m3u8 m4a m4v map md5 mid mkv mng mobi mov mp3 mp4 mpeg"
    " mpg msi msp odg odp ods odt oga ogg ogv opus pct pdf png potm potx pps ppt pptm pptx ps psp"
    " pst py qt ra rar rb rdf rm rss sh svg swf tar tgz tif tiff torrent ttf txt vcf wasm wav webm"
    " webmanifest webp wma wmv woff woff2 xls xlsm xlsx xltm xltx xml xsl xz zip".split()
)
"""Endings of URLs behind which there is no HTML."""

SERVICES = frozenset(
    "account basket cart cdn-cgi checkout login logout lostpassword my-account password-reset"
    " sign-in sign-up signin signout signup trackback warenkorb wp-admin wp-content wp-includes"
    " wp-json wp-login.php wp-register.php wp-signup.php xmlrpc.php".split()
)
"""Path segments that make a URL a service and not a page to read."""

DOUBLES = frozenset(
    "amp atom drucken embed emailthis feed feeds imprimer imprimir print printable rdf rss share"
    " stampa tell-a-friend".split()
)
"""Last path segments of what is another form of the page above."""

ACTIONS = re.compile(
    r"(?:replytocom|add-to-cart|add_to_cart|amp|attachment_id|doing_wp_cron|feed|ical|like_comment"
    r"|login|moderation-hash|openidserver|outlook-ical|print|printable|redirect_to|redirect|return"
    r"|returnto|returnurl|return_to|rss|share|tmpl|unapproved|unsubscribe|wp-login)",
    re.IGNORECASE,
)
"""Names of parameters that do something with a page, or show it in another form."""

MOST_HOPS = 10
"""Redirects in a row that are followed."""

_ACTION_VALUES = re.compile(
    r"(?:action|do|format|mode|option|output|task|type|view)="
    r"(?:amp|atom|com_mailto|delete|edit|feed|history|json|login|pdf|print|raw|register|rss|xml)",
    re.IGNORECASE,
)
_SHARED_URL = re.compile(r"[^=]*=https?(?::|%3A)(?:/|%2F){2}", re.IGNORECASE)
_COMMENT_PAGE = re.compile(r"comment-page-\d+", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"(?:/(?:page|pagina|seite|chapter|kapitel|capitulo|chapitre|p))?/(\d+)/?$"
    r"|(?<=[?&])(?:page|paged|pagina|seite|chapter|start|offset)=(\d+)&?",
    re.IGNORECASE,
)
_CALENDAR = re.compile(
    r"calend|kalend|agenda|\bevents?\b|eventos|termine|veranstaltung|evenement|tribe"
    r"|[?&](?:date|day|fecha|jahr|mes|mois|monat|month|week|year)=",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?<!\d)(?:19|20|21)\d\d(?:[-/.]?\d{1,2}){0,2}(?!\d)")
_LONGEST, _MOST_SEGMENTS, _MOST_PARAMETERS = 1000, 16, 8


def refusal(url: str) -> str | None:
    """Return why a canonical URL is not followed; None if it may be.

    Pages of listings and plain `article.php?id=7` URLs are followed.

    >>> refusal("https://a.org/news/page/2/"), refusal("https://a.org/article.php?id=7")
    (None, None)
    >>> refusal("https://a.org/photo.jpg"), refusal("https://a.org/a/?replytocom=5")
    ('not a page', 'an action')
    >>> refusal("https://a.org/x/y/x/y/x/y")
    'repeats itself'
    """
    if len(url) > _LONGEST:
        return "too long"
    path, _, query = url.partition("://")[2].partition("?")
    segments = path.lower().split("/")[1:]
    return _path_refusal([segment for segment in segments if segment]) or _query_refusal(query)


def is_continued(url: str, first: str) -> bool:
    """Say whether a URL is a further page of what begins at the URL `first`.

    Many sites wrongly give the first page as the canonical URL of all of them.

    >>> is_continued("http://a.org/news/page/2/", "http://a.org/news/")
    True
    >>> is_continued("http://a.org/story?page=3", "http://a.org/story")
    True
    >>> is_continued("http://a.org/story?ref=rss", "http://a.org/story")
    False
    """
    return _PAGE_NUMBER.sub("", url).rstrip("/?&") == first.rstrip("/") and url != first


def page_number(url: str) -> tuple[str, int]:
    """Return the URL without the number of a page that it may end with, and the number; else 1.

    >>> page_number("http://a.org/story/page/2/"), page_number("http://a.org/story/")
    (('http://a.org/story', 2), ('http://a.org/story', 1))
    """
    found = _PAGE_NUMBER.search(url)
    number = int((found[1] or found[2])[:9]) if found else 1
    return _PAGE_NUMBER.sub("", url).rstrip("/?&"), number


def _path_refusal(segments: list[str]) -> str | None:
    if not segments:
        return None
    last = segments[-1]
    if "." in last and last.rpartition(".")[2] in NOT_PAGES:
        return "not a page"
    if not SERVICES.isdisjoint(segments):
        return "a service"
    if _COMMENT_PAGE.fullmatch(last) or (last in DOUBLES and len(segments) > 1) or last == "feed":
        return "another form of a page"
    if len(segments) > _MOST_SEGMENTS or _repeats(segments):
        return "repeats itself"
    return None


def _repeats(segments: list[str]) -> bool:
    """Say whether a word occurs three times in a path; numbers may, as in `/11/11/11/`."""
    if len(segments) < 3:
        return False
    return any(n > 2 and not word.isdigit() for word, n in Counter(segments).items())


def _query_refusal(query: str) -> str | None:
    if not query:
        return None
    pairs = query.split("&")
    if len(pairs) > _MOST_PARAMETERS:
        return "too many parameters"
    for pair in pairs:
        if ACTIONS.fullmatch(pair.partition("=")[0]) or _ACTION_VALUES.fullmatch(pair):
            return "an action"
        if _SHARED_URL.match(pair):
            return "shares another URL"
    return None


class ShapeBudget:
    """Limits how many URLs of one shape are followed where a site could go on for ever.

    Two kinds of shapes have a budget. *Calendars*: a date in a URL that speaks of a
    calendar or of events. *Facets*: URLs that differ in two or more parameters of which
    none tells them apart; in `?cat=3&id=7` the `id` does, and there is no limit.

    >>> budget = ShapeBudget(limit=2)
    >>> [budget.admits(f"http://a.org/calendar/2031-{month:02}/") for month in (1, 2, 3)]
    [True, True, False]
    >>> all(budget.admits(f"http://a.org/2031/01/story-{n}/") for n in range(50))
    True
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._calendars: Counter[str] = Counter()
        self._facets: defaultdict[str, _Facet] = defaultdict(_Facet)

    def admits(self, url: str) -> bool:
        """Count a URL that would be followed; say whether its shape's budget covers it."""
        if _CALENDAR.search(url) and _DATE.search(url):
            shape = _DATE.sub("#", url)
            self._calendars[shape] += 1
            return self._calendars[shape] <= self._limit
        path, _, query = url.partition("?")
        if "&" not in query:
            return True
        names, values = zip(*(pair.partition("=")[::2] for pair in query.split("&")), strict=True)
        facet = self._facets[path + "?" + "&".join(names)]
        return facet.add(values) or facet.count <= self._limit


class _Facet:
    """The URLs of one path with the same names of parameters."""

    def __init__(self) -> None:
        self.count = 0
        self._seen: list[set[int]] = []

    def add(self, values: tuple[str, ...]) -> bool:
        """Count one URL; say whether one parameter tells most of them apart."""
        self.count += 1
        self._seen = self._seen or [set() for _ in values]
        for seen, value in zip(self._seen, values, strict=False):
            seen.add(hash(unquote(value)))
        return 2 * max(map(len, self._seen)) >= self.count
