"""Hosts whose older articles are in another template: each era has norms of its own."""

from dataclasses import replace

import pytest

from flong.patterns import Selector, read_model, write_model
from flong.patterns.article_classifier import Prior
from flong.patterns.article_features import Era, SiteContext, SiteNorms
from flong.patterns.learn import led_by
from flong.patterns.thresholds import THRESHOLDS
from tests.patterns import small_site as small

FULL = THRESHOLDS.era_articles


def old_page(one):
    """The page of a story before the redesign: other names, neither a date nor an author."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in one.paragraphs)
    return (
        f"<html lang=en><head><title>{one.title} | The Example</title></head><body>"
        "<table class=top><tr><td><a href=/>Home</a><td><a href=/mail>Mail</a></table>"
        f"<div class=page><h2 class=head>{one.title}</h2><div class=copy>{text}</div></div>"
        "<p class=foot>The Example on the web</p></body></html>"
    )


def host(older):
    """Return the model of a host with 24 new articles, and the older stories."""
    pages, stories = small.site_pages()
    old = [small.story(number, paragraphs=3) for number in range(500, 500 + older)]
    pages |= {one.url: old_page(one) for one in old}
    return small.learn(pages, small.anchors_of(pages, [*stories, *old])), old


@pytest.fixture(scope="module")
def both():
    return host(FULL + 3)


def test_each_era_has_norms_of_its_own(both):
    model, _ = both
    new, old = model.context.eras
    assert (new.norms.dated, old.norms.dated) == (1.0, 0.0)
    assert (str(new.labels.title), str(old.labels.title)) == ("h1.headline", "h2.head")


def test_a_page_has_the_norms_of_its_era(both):
    model, _ = both
    one = small.story(900)
    context = model.context
    new, old = (small.page_of(one.url, make(one)).tree for make in (small.article_page, old_page))
    assert context.of(new) is context
    assert context.of(old).norms == context.eras[1].norms
    assert context.of(small.page_of("http://a/", "<p>x").tree) is context


def test_an_older_article_is_not_compared_with_newer_ones(both):
    model, _ = both
    one = small.story(901, paragraphs=3)
    page = small.page_of(one.url, old_page(one))
    assert model.read(page).article.body == one.body
    points = [point.said for point in model.examine(page).judgement.points]
    alone = replace(model, context=replace(model.context, eras=model.context.eras[:1]))
    compared = [point.said for point in alone.examine(page).judgement.points]
    assert len(compared) > len(points)
    assert any("neither title nor body" in each for each in {*compared} - {*points})


def test_an_article_that_a_pattern_of_lists_accepts_is_read_as_its_era_is(both):
    model, _ = both
    old = model.main_of(small.page_of("http://a/", old_page(small.story(902))).tree)
    assert old.number == model.context.eras[1].pattern
    labels = old.labels.replace(body=Selector("body"))
    lists = replace(old, number=0, labels=labels, articles=0.0, fitting=Prior(-3.0, 0.0))
    others = [replace(known, number=known.number + 1) for known in model.patterns]
    eras = tuple(replace(era, pattern=era.pattern + 1) for era in model.context.eras)
    context = replace(model.context, eras=eras)
    model = replace(model, patterns=(lists, *others), context=context)
    one = small.story(902, paragraphs=3)
    seen = model.examine(small.page_of(one.url, old_page(one)))
    assert (seen.choice.best, seen.chosen.number) == (0, old.number + 1)


def test_few_older_articles_are_no_era():
    model, _ = host(FULL - 1)
    assert len(model.context.eras) == 1


def test_eras_are_stored(both):
    model, old = both
    again = read_model(write_model(model), model.fallback)
    assert [str(era.labels.body) for era in again.context.eras] == [
        str(era.labels.body) for era in model.context.eras
    ]
    page = small.page_of(old[0].url, old_page(old[0]))
    assert again.context.of(page.tree).norms == model.context.eras[1].norms
    assert SiteContext().main is None


@pytest.mark.parametrize(
    ("main", "patterns", "dated"), [(0, [0, 4], 0.1), (4, [4, 0], 0.9), (7, [7, 4], 0.1)]
)
def test_the_era_of_the_main_pattern_leads(main, patterns, dated):
    eras = [Era(pattern=at, norms=SiteNorms(dated=share)) for at, share in ((0, 0.1), (4, 0.9))]
    found = led_by(main, SiteContext(norms=eras[0].norms, eras=tuple(eras)))
    assert [era.pattern for era in found.eras] == patterns
    assert (found.main_pattern, found.norms.dated) == (main, dated)
    assert led_by(None, found).eras == ()
