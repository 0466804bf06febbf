"""The pages of the demo portal, without a server."""

from flong.demo import Portal


def portal_pages(portal: Portal) -> list[tuple[str, str]]:
    """Return URL and HTML of every page of a portal."""
    paths = [*portal.others(), *(truth.path for truth in portal.truth())]
    return [(f"http://courier.example{path}", portal.get(path).text) for path in paths]
