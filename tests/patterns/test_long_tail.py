"""Sites unlike most: no container, templates shared with lists, text that recurs."""

from dataclasses import replace

import pytest

from flong.baselines import single_page_leaves
from flong.patterns import (
    THRESHOLDS,
    Anchor,
    ClusterOfPages,
    labels,
    learn_site,
    read_model,
    write_model,
)
from flong.patterns.closing_paragraphs import ClosingParagraphs, learn_closing_paragraphs, wording
from flong.patterns.labels import LabelledPage, text_of_leaves
from flong.patterns.person_names import Byline
from flong.patterns.selectors import Selector
from flong.tree import build_tree
from tests.patterns import small_site as small

MENU = "<p><a href=/>Home</a> <a href=/about>About us</a> <a href=/list>All news</a></p><hr>"


def extracted(pages, stories, anchors=None):
    """Learn the pages and return the articles of the stories."""
    model = read_model(write_model(small.learn(pages, anchors)), single_page_leaves)
    found = [
        model.read(
            small.page_of(one.url, pages[one.url]),
            (anchors or {}).get(one.url, ()),
        )
        for one in stories
    ]
    return [one.article and (one.article.title, one.article.body) for one in found]


def truth(stories):
    return [(one.title, one.body) for one in stories]


def same_head(main):
    return f"<html><head><title>The Example</title></head><body>{main}</body></html>"


def bare_page(one, around="{}"):
    paragraphs = "".join(f"<p>{text}</p>" for text in one.paragraphs)
    copyright_line = f"Copyright 20{10 + one.number % 10}, {one.title.split()[0]} Writer. "
    return (
        f"<html><head><title>{one.title}</title></head><body>{MENU}"
        f"<center><h1>{one.title}</h1></center>"
        + around.format(paragraphs)
        + f"<h5>{copyright_line} Published in issue {one.number} of the Example Gazette, "
        f"all rights of this text reserved.</h5>{MENU}</body></html>"
    )


@pytest.mark.parametrize("around", ["{}", "<div>{}</div>"])
def test_paragraphs_directly_below_the_page_are_a_body(around):
    stories = [small.story(number) for number in range(16)]
    pages = {one.url: bare_page(one, around) for one in stories}
    assert extracted(pages, stories) == truth(stories)


def teaser_page(one, topic):
    """A list that holds one teaser only, built like an article."""
    return same_head(
        f"<div class=span9><div class=row><div class=span12><h2>All on {topic}</h2></div></div>"
        f"<p>{one.paragraphs[0][:150]} <a href=/{one.number}>Read more</a></p></div>"
        "<div class=span3><p>Written and printed in Example Town since 1901.</p></div>"
    )


def nameless_article(one):
    paragraphs = "".join(f"<p>{text}</p>" for text in one.paragraphs)
    return same_head(
        f"<div class=span9><div class=row><div class=span12><h1>{one.title}</h1></div></div>"
        f"{paragraphs}</div>"
        "<div class=span3><p>Written and printed in Example Town since 1901.</p></div>"
    )


def test_articles_are_found_though_more_lists_have_their_template():
    stories = [small.story(number) for number in range(12)]
    pages = {one.url: nameless_article(one) for one in stories}
    anchors = {one.url: [Anchor(one.title, 3), Anchor("Read more", 2)] for one in stories}
    for number in range(40):
        url = f"http://news.example/tag/{number}"
        pages[url] = teaser_page(stories[number % 12], f"topic {number}")
        anchors[url] = [Anchor(f"topic {number}", 1)]
    assert extracted(pages, stories, anchors) == truth(stories)


HOUSE = (
    "The Example stands for opportunity: a paper of the metropolitan region that ranks as number "
    "{} in the nation with more than {} readers and offers the news of the whole day and night."
)


def test_a_closing_paragraph_with_small_changes_is_not_body():
    stories = [small.story(number) for number in range(16)]
    pages = {}
    for one in stories:
        told = (*one.paragraphs, HOUSE.format(one.number % 5, 40000 + one.number * 100))
        pages[one.url] = small.article_page(small.Story(one.number, one.title, told))
    assert extracted(pages, stories) == truth(stories)


def test_a_closing_paragraph_of_one_template_is_not_body():
    """Press releases are a small part of the site, and all of them end with a contact."""
    stories = [small.story(number) for number in range(100)]
    pages = {one.url: small.article_page(one) for one in stories}
    releases = [small.story(number) for number in range(500, 520)]
    for one in releases:
        text = "".join(f"<p>{line}</p>" for line in (*one.paragraphs, HOUSE.format(one.number, 7)))
        body = f"<div class=release><h2 class=title>{one.title}</h2>{text}</div>"
        pages[one.url] = small.frame(one.title, f"<table><tr><td>{body}</table>")
    assert extracted(pages, releases) == truth(releases)


def test_lines_that_recur_within_bodies_are_body():
    """A daily list: each entry has the same three labels, in boxes of one class."""
    stories = [small.story(number) for number in range(24)]
    pages = {one.url: small.article_page(one) for one in stories}
    lists = []
    for number in range(100, 108):
        one = small.story(number)
        entries = "".join(
            f"<div class=row><div class=col>Booking number</div><div class=val>{number}{at}</div>"
            f"<div class=col>Booking date</div><div class=val>{at} May {number}</div>"
            f"<div class=col>Charge of the day</div><p>{text}</p></div>"
            for at, text in enumerate(one.paragraphs)
        )
        lines = [
            line
            for at, text in enumerate(one.paragraphs)
            for line in (
                *("Booking number", f"{number}{at}", "Booking date", f"{at} May {number}"),
                *("Charge of the day", text),
            )
        ]
        listed = small.Story(number, one.title, tuple(lines))
        page = small.article_page(listed)
        whole = "".join(f"<p>{line}</p>" for line in lines)
        assert whole in page
        pages[one.url] = page.replace(whole, entries)
        lists.append(listed)
    assert extracted(pages, lists) == truth(lists)


def test_boilerplate_is_found_by_position_and_number():
    told = [[f"Story {n} begins", "Share of the market", f"Story {n} ends"] for n in "abcdefgh"]
    assert learn_closing_paragraphs(told) == ClosingParagraphs(), "a line within bodies is theirs"
    ending = [[*body, HOUSE.format(at, at)] for at, body in enumerate(told)]
    assert learn_closing_paragraphs(ending).wordings == (wording(HOUSE),)
    assert learn_closing_paragraphs(ending[:2]) == ClosingParagraphs(), "two pages are too few"
    mixed = [
        *ending[:4],
        *([f"All about {n} here", f"And {n} at last"] for n in "ijklmnopqrstuvwxyz"),
    ]
    assert learn_closing_paragraphs(mixed) == ClosingParagraphs(), (
        "a fifth of the articles must have it"
    )


@pytest.mark.parametrize("line", ["", "A cartoon of cats.", "It rains. " * 6])
def test_a_body_without_its_closing_paragraph_keeps_more_than_a_line(line):
    tree = build_tree(f"<p>{line}</p><p>{HOUSE}</p>")
    leaves = tree.leaves()
    enough = len(line.split()) >= THRESHOLDS.line_words
    left = ClosingParagraphs((wording(HOUSE),)).trim(tree, leaves)
    assert left == (leaves[:1] if enough else leaves)


def scattered(tree, ignored=None):
    """A baseline that takes scattered paragraphs, which no single container has."""
    return [leaf for leaf in tree.leaves() if "-0." in tree.text_of(leaf)]


def test_without_a_container_the_baselines_are_used_and_reported():
    stories = [small.story(number, paragraphs=9) for number in range(12)]
    pages = [small.page_of(one.url, small.article_page(one)) for one in stories]
    anchors = {one.url: [Anchor(one.title, 2)] for one in stories}
    model = learn_site(
        pages,
        [ClusterOfPages(members=tuple(range(len(pages))))],
        baselines=[scattered],
        anchors=anchors,
        fallback=lambda *page: (-1, scattered(*page)),
    )
    assert model.patterns[0].labels.body is None
    for one, page in zip(stories, pages, strict=True):
        article = model.read(page, anchors[one.url]).article
        assert (article.title, article.body) == (one.title, one.paragraphs[0])
        assert (article.method, article.confidence <= 0.5) == ("fallback", True)


def test_a_box_on_two_pages_excludes_no_paragraph_of_others():
    stories = [small.story(number, paragraphs=4) for number in range(24)]
    pages = {}
    for one in stories:
        *first, last = one.paragraphs
        box = "<div>Heard on the radio of Example Town</div>"
        end = box if one.number in (5, 17) else f"<p>{last}</p>"
        end = f"<ol><li>{last}</ol>" if one.number % 4 == 0 else end
        text = "".join(f"<p>{text}</p>" for text in first) + end
        main = f"<h1>{one.title}</h1><div class=text>{text}</div>"
        pages[one.url] = small.frame(one.title, main)
    others = [one for one in stories if one.number not in (5, 17)]
    assert extracted(pages, others) == truth(others)


def test_a_box_with_nearly_all_text_is_the_body():
    stories = [small.story(number, paragraphs=12 if number % 3 else 1) for number in range(12)]
    pages = {}
    for one in stories:
        standfirst = f"{one.paragraphs[0]} More on {one.title}, and what readers say to it."
        text = "".join(f"<p>{paragraph}</p>" for paragraph in one.paragraphs)
        hero = f"<div class=hero><h1>{one.title}</h1><p>{standfirst}</p></div>"
        pages[one.url] = same_head(f"{MENU}{hero}<div class=text>{text}</div>{MENU}")
    assert extracted(pages, stories) == truth(stories)


@pytest.mark.parametrize(
    ("score", "believed"),
    [(THRESHOLDS.trusted_container, True), (THRESHOLDS.trusted_container - 0.01, False)],
)
def test_a_doubtful_container_is_compared_with_the_baselines(score, believed):
    stories = [small.story(number, paragraphs=6) for number in range(8)]
    odd = "<div class=odd><p>Some other words on {} alone</p></div></main>"
    pages = {
        one.url: small.article_page(one).replace("</main>", odd.format(one.title))
        for one in stories
    }
    model = small.learn(pages)
    wrong = [
        replace(one, labels=one.labels.replace(body=Selector("div", "odd"), body_score=score))
        for one in model.patterns
    ]
    model = replace(model, patterns=tuple(wrong), context=replace(model.context, eras=()))
    page = small.page_of(stories[0].url, pages[stories[0].url])
    seen = model.examine(page)
    body = text_of_leaves(page.tree, seen.source.labelled.body)
    assert seen.by_fallback is not believed
    assert (body == stories[0].body) is not believed


def test_a_doubtful_container_that_agrees_with_the_baselines_is_used():
    stories = [small.story(number, paragraphs=6) for number in range(8)]
    pages = {one.url: small.article_page(one) for one in stories}
    model = small.learn(pages)
    doubted = [replace(one, labels=one.labels.replace(body_score=0.4)) for one in model.patterns]
    model = replace(model, patterns=tuple(doubted))
    found = model.read(small.page_of(stories[0].url, pages[stories[0].url]))
    assert (found.article.body, found.article.method) == (stories[0].body, "pattern")


def test_boilerplate_taken_by_the_baselines_is_not_body():
    """Pages of pictures have no text, but the form to subscribe that all pages have."""
    form = "<div class=form><p>Every month we write to you what is new, and what is not.</p></div>"
    stories = [small.story(number, paragraphs=6) for number in range(12)]
    pages = {
        one.url: small.article_page(one).replace("</main>", f"</main>{form}") for one in stories
    }
    model = read_model(write_model(small.learn(pages)), single_page_leaves)
    picture = (
        f"<html><head><title>A picture</title></head><body><h1>A picture</h1>{form}</body></html>"
    )
    page = small.page_of("https://example.org/picture", picture)
    assert [*single_page_leaves(page.tree)[1]]
    assert model.examine(page).source.labelled.body == []


def test_a_byline_taken_by_the_baselines_is_not_body():
    tree = build_tree(
        "<header><h1>Rain</h1><p>It rained, says Ann Lee.</p><p class=by>por Ann Lee</p></header>"
    )
    rain, byline = tree.leaves()[1:]
    nothing = LabelledPage(title=-1, container=-1, body=[], instances=0)
    known = labels.Labels(author=Byline(Selector("p", "by")))
    for found, expected in ((labels.Labels(), [rain, byline]), (known, [rain])):
        read = labels.read_by_fallback(nothing, tree, lambda *_: (-1, [rain, byline]), found)
        assert read.body == expected


@pytest.mark.parametrize(("heading", "teasers"), [("div", 6), ("h2", 0)])
def test_linked_lines_are_headings_on_pages_without_headings(heading, teasers):
    lines = "".join(
        f"<div><a href=/{n}>Of this story {n} nobody knows</a></div><div>It is told below, and at "
        f"some length, by people who were there on day {n} of it.</div>"
        for n in range(6)
    )
    page = small.page_of(
        "https://example.org/some",
        f"<body><{heading}>What happened</{heading}><div class=text>{lines}</div></body>",
    )
    stories = [small.story(number, paragraphs=6) for number in range(8)]
    model = small.learn({one.url: small.article_page(one) for one in stories})
    model = replace(model, fallback=lambda tree, _: (-1, tree.leaves()[1:]))
    features = model.examine(page).features
    assert features.teasers == teasers


def scrolling_page(one, further):
    """An article with others below it; nothing names their titles."""

    def text_of(story):
        lines = "".join(f"<div>{text}</div>" for text in story.paragraphs)
        return f"<div><div><div>{story.title}</div></div><div>{lines}</div></div>"

    return same_head(f"<div>{MENU}</div><div>{text_of(one)}{''.join(map(text_of, further))}</div>")


@pytest.mark.parametrize(("linked", "right"), [(True, True), (False, False)])
def test_further_articles_are_found_by_anchor_texts(linked, right):
    stories = [small.story(number, paragraphs=4) for number in range(20)]
    further = [small.story(number, paragraphs=4) for number in range(100, 140)]
    pages = {
        one.url: scrolling_page(one, further[2 * at : 2 * at + 2]) for at, one in enumerate(stories)
    }
    names = {one.url: [Anchor(one.title, 3)] for one in [*stories, *further]}
    anchors = {url: said if linked else [Anchor("Read more", 3)] for url, said in names.items()}
    assert (extracted(pages, stories, anchors) == truth(stories)) is right


@pytest.mark.parametrize(("baselines", "believed"), [([3, 5], False), ([7], True), ([], True)])
def test_a_nearly_empty_body_is_compared_with_the_baselines(baselines, believed):
    text = "<p>" + "A line of the text that other pages have, too. " * 9
    tree = build_tree(f"<div>{text}</p>{text}</p><p>More on this</p></div>")
    left = LabelledPage(title=-1, container=1, body=[7], instances=1)
    sure = labels.Labels(body=Selector("div"), body_score=1.0, voters=3)
    assert labels.is_believed(left, tree, sure, lambda *_: (-1, baselines)) is believed
