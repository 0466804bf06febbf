"""What a crawl that ended well did not get: articles that failed, are gone or lead elsewhere."""

from collections.abc import Iterator

from flong.storage import ArticleFetches, Run, Site, Store

FEWEST = 3
"""Articles that must be concerned before a person should look."""
SHARE = 0.3
"""Share of the articles that were asked for from which on that is no matter of single pages."""
FEW_LINKS = 2
"""Links that a page of maintenance may have to the site."""
MANY_LINKS = 5
"""Links that a home page has at least if the want of them is worth a look."""


def find_outages(store: Store, site: Site, crawl: Run) -> list[str]:
    """Return what a person should know about, a sentence each; nothing after a usual night."""
    return [*_home(store, site, crawl), *_articles(site, store.crawls.article_fetches(crawl))]


def _home(store: Store, site: Site, crawl: Run) -> Iterator[str]:
    links = store.crawls.home_links(crawl)
    if links is not None and links.now <= FEW_LINKS and links.before >= MANY_LINKS:
        yield (
            f"The home page of {site.name} leads to {links.now or 'none'} of its pages, "
            f"{links.before} before: it may be empty, or under maintenance."
        )


def _articles(site: Site, found: ArticleFetches) -> Iterator[str]:
    enough = max(FEWEST, SHARE * found.asked)
    failed = sum(found.failed.values())
    if failed >= enough:
        reasons = sorted(found.failed.items(), key=lambda each: -each[1])
        words = ", ".join(f"{reason} ({count})" for reason, count in reasons[:3])
        yield (
            f"{failed} of {found.asked} articles of {site.name} that were asked for could not be "
            f"had: {words}. What is known of them was kept."
        )
    if found.gone >= enough:
        yield (
            f"{found.gone} of {found.asked} articles of {site.name} that were asked for are gone "
            "since the last night. What is known of them was kept."
        )
    if found.redirected >= enough:
        yield (
            f"{found.redirected} of {found.asked} articles of {site.name} that were asked for lead "
            "to another URL now. What is known of them was kept."
        )
