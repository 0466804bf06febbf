"""Routes: map URLs to handlers."""

import re

from flong.demo import assets, pages
from flong.demo.responses import Response
from flong.demo.visits import Handler, Visit


def respond(visit: Visit) -> Response:
    """Return the response at a URL, or a 404 page."""
    for route, handler in _ROUTES:
        if (found := route.fullmatch(visit.path)) and (response := handler(visit, found)):
            return response
    return pages.missing(visit, 404)


_ROUTES: tuple[tuple[re.Pattern[str], Handler], ...] = tuple(
    (re.compile(route), handler)
    for route, handler in (
        (
            r"(?P<path>/\w+/\d{4}/\d\d/(?:[a-z0-9-]+-)?(?P<number>\d{1,9}))(?:/page/(?P<sheet>\d))?",
            pages.article,
        ),
        ("/", pages.front),
        (r"/pictures/(?P<key>\d+-\d+)\.(?P<type>svg|png)", assets.picture),
        (r"/portraits/(?P<key>[a-z-]+)\.svg", assets.portrait),
        (r"/style/(?P<name>broadsheet\.css|tabloid\.css)", assets.style),
        (r"/favicon\.png", assets.icon),
        (r"/robots\.txt", assets.robots),
        (r"/(feed|atom|sitemap-news)\.xml", assets.feed),
        (r"/sitemap(-pages|-stories-(?P<lot>\d{1,6}))?\.xml", assets.sitemap),
        (r"/print/(?P<number>\d{1,9})", pages.printed),
        (r"/whats-on/(?P<year>\d{4})/(?P<month>\d\d)", pages.calendar),
        (r"/archive/(\d{4}/\d\d/)?", pages.archive),
        ("|".join(pages.FORMS), pages.form),
        (r"/\w+", pages.prose),
        (r"/.+", pages.listing),
    )
)
