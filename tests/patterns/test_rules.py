"""Each rule of labelling, on pages that need it: `benchmarks.rules` switches it off."""

from dataclasses import replace

import numpy as np
import pytest

from flong.baselines import BASELINES, single_page_leaves
from flong.patterns import Anchor, ClusterOfPages, learn_site
from flong.patterns.article_classifier import Prior, judge, learn_prior
from flong.patterns.article_evidence import EVIDENCE, Point
from flong.patterns.article_features import ArticleFeatures, SiteNorms
from flong.patterns.label_voting import SiteTexts, Voter, find_cluster_texts, label_pages
from flong.patterns.labels import Labels, read_page
from flong.patterns.model_json import read_model, write_model
from flong.patterns.page_titles import PageNames
from flong.patterns.selectors import Selector
from flong.patterns.thresholds import THRESHOLDS
from flong.patterns.title_election import count_texts
from flong.text import fold_text
from flong.tree import TEXT, SitePage, build_tree, tag_number
from tests.patterns.small_site import story

PAGES = 8
TEXT_BOX, OUTER = Selector("div", "text"), Selector("div", "outer")
PARAGRAPH = tag_number("p")


def prose(tree, unseen):
    """A baseline that takes every visible paragraph."""
    leaves = np.flatnonzero((tree.tag == TEXT) & ~unseen)
    return leaves[tree.tag[tree.parent[leaves]] == PARAGRAPH]


def all_prose(tree, unseen):
    """A baseline that takes every paragraph, also hidden ones."""
    return prose(tree, np.zeros_like(unseen))


def words(number, count):
    """Return words that no other page has."""
    return " ".join(story(number, paragraphs=9).body.split()[:count])


def paragraphs(number, count=4):
    return [f"<p>{text}</p>" for text in story(number, paragraphs=count).paragraphs]


def page(number, main):
    title = story(number).title
    return f"<title>{title}</title><body><main><h1>{title}</h1>{main}</main>"


def with_box(box):
    """Return pages with a box amid the text; `box` makes it for each."""

    def make(number):
        first, *rest = paragraphs(number)
        return page(number, f"<div class=text>{first}{box(number)}{''.join(rest)}</div>")

    return list(map(make, range(PAGES)))


def learn(pages, baseline=prose, *, usual=None, repeated=frozenset()):
    trees = list(map(build_tree, pages))
    voters = [Voter(tree, PageNames(heads=(fold_text(tree.head.title),)), None) for tree in trees]
    texts = find_cluster_texts(trees)
    site = SiteTexts(repeated, np.array([], dtype=np.int64))
    return label_pages(voters, baselines=[baseline], site=site, texts=texts, usual=usual)


def body_of(html, labels):
    tree = build_tree(html)
    return " ".join(tree.text_of(leaf).strip() for leaf in read_page(tree, labels).body)


def marked(number):
    """Return a text that names its origin."""
    return f"boxed{number} {words(100 + number, 11)}"


def linked(number, share):
    """Return twenty words, some of them in a link."""
    text = marked(number).split() + words(200 + number, 8).split()
    cut = int(share * len(text))
    return f"<a href=/{number}>{' '.join(text[:cut])}</a> {' '.join(text[cut:])}"


def recurring(number):
    """Return a text that three pages share, and not half of all."""
    return f"boxed {words(300 + number % 3, 14)}"


@pytest.mark.parametrize(
    ("box", "baseline"),
    [
        (lambda n: f"<div class=poll><span>{marked(n)}</span></div>", prose),
        (lambda n: f"<div class=author><p>{recurring(n)}</p></div>", prose),
        (lambda n: f"<div class=more><p>{linked(n, 1)}</p></div>", all_prose),
    ],
    ids=["no baseline takes it", "its text recurs", "it is links"],
)
def test_a_box_in_the_text_is_excluded(box, baseline):
    pages = with_box(box)
    labels = learn(pages, baseline)
    assert labels.body == TEXT_BOX
    for html in pages:
        assert "boxed" in html
        assert "boxed" not in body_of(html, labels)


@pytest.mark.parametrize(
    "box",
    [
        lambda n: f"<pre class=code>{marked(n)}</pre>",
        lambda n: f"<div class=large><span>{marked(n)} {words(400 + n, 230)}</span></div>",
    ],
    ids=["code", "most of the text"],
)
def test_a_box_of_text_stays_though_no_baseline_takes_it(box):
    pages = with_box(box)
    labels = learn(pages)
    assert labels.body == TEXT_BOX
    assert all("boxed" in body_of(html, labels) for html in pages)


def test_lines_spread_over_the_text_stay_in():
    def make(number):
        pieces = [
            f"{text}<div class=line>boxed {words(10 * number + at, 9)}</div>"
            for at, text in enumerate(paragraphs(number, 6))
        ]
        return page(number, f"<div class=text>{''.join(pieces)}</div>")

    pages = list(map(make, range(PAGES)))
    labels = learn(pages)
    assert all(body_of(html, labels).count("boxed") == 6 for html in pages)


def at_the_end(line):
    return [
        page(number, f"<div class=text>{''.join(paragraphs(number))}{line(number)}</div>")
        for number in range(PAGES)
    ]


@pytest.mark.parametrize(
    "line",
    [
        lambda n: f"<div class=credit><p>{linked(n, 0.45)}</p></div>",
        lambda n: f"<p>{linked(n, 1)}</p>",
    ],
    ids=["partly links, with a name", "links, without"],
)
def test_lines_with_links_at_the_end_are_excluded(line):
    pages = at_the_end(line)
    labels = learn(pages, all_prose)
    assert labels.body == TEXT_BOX
    for html in pages:
        assert "boxed" in html
        assert "boxed" not in body_of(html, labels)


def beside(other, first=False):
    """Return pages with another box beside that of the text."""

    def make(number):
        text = f"<div class=text>{''.join(paragraphs(number))}</div>"
        title = story(number).title
        both = f"{other(number)}<h1>{title}</h1>{text}" if first else f"<h1>{title}</h1>{text}"
        rest = "" if first else other(number)
        return f"<title>{title}</title><body><main>{both}{rest}</main>"

    return list(map(make, range(PAGES)))


LONG = "".join(f"<p>{words(500 + at, 60)}</p>" for at in range(6))


@pytest.mark.parametrize(
    "pages",
    [
        beside(lambda n: f"<div class=comments>{''.join(paragraphs(700 + n, 9))}</div>"),
        beside(lambda n: f"<div class=notice>{LONG}</div>"),
        beside(lambda n: f"<div class=lead>{''.join(paragraphs(800 + n, 9))}</div>", first=True),
    ],
    ids=["comments", "recurring text", "text above the title"],
)
def test_a_box_longer_than_the_text_is_not_the_container(pages):
    assert learn(pages).body == TEXT_BOX


def test_comments_inside_the_container_are_excluded():
    pages = with_box(lambda n: f'<div class="comments"><p>{marked(n)}</p></div>')
    labels = learn(pages)
    assert all("boxed" not in body_of(html, labels) for html in pages)


def test_teasers_are_not_the_container():
    def teasers(number):
        return "".join(
            f"<div><h3><a href=/{at}>{words(900 + at, 8)}</a></h3>"
            f"<p>{words(number + at, 55)}</p></div>"
            for at in range(8)
        )

    pages = beside(lambda n: f"<div class=teasers>{teasers(n)}</div>")
    shared = frozenset(
        text for text, often in count_texts(map(build_tree, pages)).items() if often == PAGES
    )
    assert learn(pages, repeated=shared).body == TEXT_BOX


def nested(number):
    text = "".join(paragraphs(number, 6))
    return page(
        number,
        f"<div class=outer><div class=text>{text}</div><p>four words {number} here</p></div>",
    )


def test_the_smallest_of_tied_containers_wins():
    assert learn(list(map(nested, range(PAGES)))).body == TEXT_BOX


def test_the_usual_container_wins_near_ties():
    pages = list(map(nested, range(PAGES)))
    assert learn(pages, usual=Labels(body=OUTER)).body == OUTER


def test_the_usual_title_wins_near_ties():
    def make(number):
        title = story(number).title
        main = f"<h1 class=one>{title}</h1><h1 class=two>{title}</h1>"
        return f"<title>{title}</title><body>{main}<div class=text>{''.join(paragraphs(number))}"

    pages = list(map(make, range(PAGES)))
    for token in ("one", "two"):
        usual = Selector("h1", token)
        assert learn(pages, usual=Labels(title=usual)).title == usual


def test_a_second_article_on_the_page_is_not_its_body():
    def post(number):
        text = "".join(paragraphs(number))
        return f"<div class=text><h2 class=headline>{story(number).title}</h2>{text}</div>"

    pages = [
        f"<title>{story(number).title}</title><body><div class=outer>"
        f"{post(number)}{post(1000 + number)}</div>"
        for number in range(PAGES)
    ]
    assert learn(pages).body == TEXT_BOX


def test_the_whole_page_is_the_last_choice_for_a_container():
    def make(number):
        title = story(number).title
        return (
            f"<title>{title}</title><body><h1>{title}</h1><div class=text>"
            f"<p>{words(number, 110)}</p></div>"
            f"<div class=lead><p>{words(number + 20, 50)}</p></div>"
            f"<div class=foot>{words(number + 40, 40)}</div>"
        )

    assert learn(list(map(make, range(PAGES)))).body == TEXT_BOX


def two_kinds(number, *, is_list):
    """Return a page whose title is above or below a similar line."""
    title, kicker = story(number).title, f"Day {number}"
    above, below = (kicker, title) if is_list else (title, kicker)
    return (
        f"<title>{title}</title><body><div class=top>{above}</div>"
        f"<div class=sub>{below}</div><div class=text>{''.join(paragraphs(number))}</div>"
    )


def test_pages_with_their_title_elsewhere_are_another_template():
    pages = [
        SitePage(
            url=f"http://news.example/{number}",
            tree=build_tree(two_kinds(number, is_list=number >= PAGES)),
        )
        for number in range(PAGES + 4)
    ]
    alike = ClusterOfPages(members=tuple(range(len(pages))))
    model = learn_site(pages, [alike], baselines=[prose])
    found = {pattern.pages: pattern.labels.title for pattern in model.patterns}
    assert found == {PAGES: Selector("div", "top"), 4: Selector("div", "sub")}


def test_a_mixed_pattern_is_labelled_by_its_articles():
    def make(number, first, second):
        title = story(number).title
        head = f"<title>{title if number < PAGES else 'The Example'}</title>"
        top = f"<h1>{title if number < PAGES else 'Adverts'}</h1>"
        return f"{head}<body>{top}<div class=text>{first}</div><div class=side>{second}</div>"

    def links(number):
        return "".join(f"<div><a href=/{at}>{words(number + at, 12)}</a></div>" for at in range(3))

    pages = [
        SitePage(url=f"http://news.example/{n}", tree=build_tree(make(n, *parts)))
        for n in range(3 * PAGES)
        for parts in [
            ("".join(paragraphs(n)), links(n))
            if n < PAGES
            else (links(n), "".join(paragraphs(n, 3)))
        ]
    ]
    anchors = {page.url: [Anchor("Adverts", 2 * PAGES)] for page in pages[PAGES:]}
    anchors |= {page.url: [Anchor(story(n).title, 2)] for n, page in enumerate(pages[:PAGES])}
    alike = ClusterOfPages(members=tuple(range(len(pages))))
    model = learn_site(pages, [alike], baselines=[prose], anchors=anchors)
    (pattern,) = model.patterns
    assert pattern.kind == "mixed"
    assert pattern.labels.body == TEXT_BOX


def test_a_page_with_others_below_its_url_is_a_section():
    def make(number):
        text = f"<div class=text>{''.join(paragraphs(number))}</div>"
        return f"<title>{story(number).title}</title><h1>{story(number).title}</h1>{text}"

    count = 5 * PAGES
    urls = [f"http://news.example/sport/{n}.html" for n in range(count)]
    urls += ["http://news.example/sport/index.html", "http://news.example/weather/index.html"]
    pages = [SitePage(url=url, tree=build_tree(make(n))) for n, url in enumerate(urls)]
    alike = ClusterOfPages(members=tuple(range(len(pages))))
    links = [Anchor("More", 1)]
    model = learn_site(pages, [alike], baselines=[prose], anchors=dict.fromkeys(urls, links))
    assert [model.read(page, links).article is not None for page in pages] == [
        *([True] * count),
        False,
        True,
    ]
    assert "below its URL" in model.read(pages[count], links).reason
    assert read_model(write_model(model)).context.directories == {"/sport"}


@pytest.mark.parametrize(("count", "usual"), [(2, False), (3, True)])
def test_norms_are_not_learned_from_two_articles(count, usual):
    def make(number):
        byline = "<p class=by>By Ann Lee on 3 May 2024</p>"
        text = f"{byline}<div class=text>{''.join(paragraphs(number))}</div>"
        return f"<title>{story(number).title}</title><h1>{story(number).title}</h1>{text}"

    pages = [
        SitePage(url=f"http://news.example/{n}", tree=build_tree(make(n))) for n in range(count)
    ]
    alike = ClusterOfPages(members=tuple(range(count)))
    model = learn_site(pages, [alike], baselines=[prose])
    [pattern] = model.patterns
    assert pattern.articles == 1
    assert (model.main is not None, model.context.norms.dated > 0) == (usual, usual)


def test_weak_evidence_counts_less_on_uniform_patterns():
    short = Point(-1.0, "its body has 30 words", weak=True)
    assert judge([short], Prior(2.0, share=0.99)).article
    assert not judge([short], Prior(2.0, share=0.8)).article


def test_lines_of_a_form_are_not_constants():
    pages = [
        build_tree(f"<p>Monday</p><p>{words(number, 9)}</p><p>Monday</p>") for number in range(6)
    ]
    assert len(find_cluster_texts(pages).constants) == 1
    assert len(find_cluster_texts(pages, count_texts(pages)).constants) == 0


LABELS = Labels(title=Selector("h1"), title_score=1.0, body=TEXT_BOX)


@pytest.mark.parametrize(
    ("html", "labels"),
    [
        (
            "<div class=text><p class=when>Out, 3 May 2026</p><p>The rest of it</p></div>",
            LABELS.replace(date=Selector("p", "when")),
        ),
        (
            "<h1>Out it goes</h1><div class=text><p>Out it goes</p><p>The rest of it</p></div>",
            LABELS,
        ),
        ("<div class=text><p>Out</p><h1>Title</h1><p>The rest of it</p></div>", LABELS),
    ],
    ids=["date line", "headline once more", "above the title"],
)
def test_a_line_in_the_container_is_excluded(html, labels):
    assert body_of(html, labels) == "The rest of it"


def test_a_paragraph_that_some_articles_of_a_cluster_share_is_kept():
    copied, menu = words(99, 40), "".join(f"<i>Entry {n}</i>" for n in range(40))

    def make(number):
        some = number < PAGES  # these are of one pattern, because they have a menu, too
        first, *rest = paragraphs(number, 2 + number % PAGES)
        text = f"{first}{f'<p>{copied}</p>' if some else ''}{''.join(rest)}"
        return page(number, f"{menu if some else ''}<div class=text>{text}</div>")

    count = 3 * PAGES
    pages = [
        SitePage(url=f"http://news.example/{n}", tree=build_tree(make(n))) for n in range(count)
    ]
    alike = ClusterOfPages(members=tuple(range(count)))
    model = learn_site(pages, [alike], baselines=[prose])
    assert [pattern.pages for pattern in model.patterns] == [2 * PAGES, PAGES]
    assert copied in model.read(pages[0]).article.body


def test_two_pages_are_enough_to_drop_what_they_share():
    stories = [story(number) for number in range(2)]
    promotion = "<p>" + "Read our magazine every month, it is made by people like you. " * 9
    pages = [
        SitePage(
            url=one.url,
            tree=build_tree(
                f"<title>The Site</title><b>{one.title}</b><div>{promotion}</div>"
                f"<div>{''.join(f'<p>{text}</p>' for text in one.paragraphs)}</div>"
            ),
        )
        for one in stories
    ]
    alike = ClusterOfPages(members=(0, 1))
    model = learn_site(pages, [alike], baselines=BASELINES.values(), fallback=single_page_leaves)
    assert model.conventions.name_page(pages[0].tree.head, ()).heads == ()
    for one, page in zip(stories, pages, strict=True):
        assert model.read(page).article.body == one.body


def test_a_container_that_two_pages_elected_must_agree_with_the_single_page():
    def make(number):
        other = f"<div class=ad><p>Advert {number} of a shop in the town, today only.</p></div>"
        text = "".join(f"<p>{each}</p>" for each in story(number).paragraphs)
        return f"<h1>{story(number).title}</h1>{other}<div class=text>{text}</div>"

    def advert(tree, ignored=None):
        return [leaf for leaf in tree.leaves() if tree.text_of(leaf).startswith("Advert")]

    for count, right in ((2, True), (3, False)):
        pages = [SitePage(url=story(n).url, tree=build_tree(make(n))) for n in range(count)]
        alike = ClusterOfPages(members=tuple(range(count)))
        model = learn_site(pages, [alike], baselines=[advert], fallback=single_page_leaves)
        assert (model.examine(pages[0]).by_fallback) is right


def test_few_pages_refuse_less_than_many():
    """The weak points of two pages are no reason to refuse both of them more strongly."""
    few, many = (learn_prior([0.5] * count, weight=THRESHOLDS.prior_pages) for count in (2, 60))
    assert many.points < few.points < 0
    pages = [SitePage(url=f"http://a.example/{n}", tree=build_tree(f"<p>Line {n}")) for n in (1, 2)]
    model = learn_site(pages, [ClusterOfPages(members=(0, 1))], baselines=[prose])
    assert model.patterns[0].other.points > -1.5


def test_breadcrumbs_on_the_line_of_the_title_are_no_title():
    def make(number):
        one = story(number)
        text = "".join(f"<p>{each}</p>" for each in one.paragraphs)
        line = f"<a href=/>News</a> &gt; {number + 1} May 2020 &gt; {one.title}:"
        return f"<title>The Site</title><b>{line}</b><div class=text>{text}</div>"

    stories = [story(number) for number in range(PAGES)]
    pages = [SitePage(url=one.url, tree=build_tree(make(n))) for n, one in enumerate(stories)]
    anchors = {one.url: [Anchor(one.title, 1)] for one in stories}
    alike = ClusterOfPages(members=tuple(range(PAGES)))
    model = learn_site(pages, [alike], baselines=[prose], anchors=anchors)
    for one, page in zip(stories, pages, strict=True):
        assert model.read(page, anchors[one.url]).article.title == one.title
        assert model.examine(page, anchors[one.url]).features.like_anchor == 1
    assert read_model(write_model(model)).patterns[0].labels.breadcrumbs.depths == (("News", 2),)


@pytest.mark.parametrize("like_main", [True, False])
def test_norms_speak_of_pages_with_the_template_of_the_main_articles(like_main):
    """An older template has other metadata, and no bylines."""
    norms = SiteNorms(json_ld=0.9, dated=1.0, signed=1.0, linked_title=0.0)
    features = dict.fromkeys(ArticleFeatures._fields, 0) | {"like_main": like_main}
    page = ArticleFeatures(**features)._replace(linked_title=True, words=300, newsless_directory="")
    of_norms = {
        "undated as articles are not",
        "title is a link",
        "no metadata of an article",
        "unsigned as articles are not",
    }
    seen = {row.name for row in EVIDENCE if row.name in of_norms and row.is_seen(page, norms)}
    assert seen == (of_norms if like_main else set())


def test_the_single_page_reader_names_pages_that_nothing_else_names():
    """All pages have one head title, and no links lead to them."""

    def make(number):
        one = story(number)
        text = "".join(f"<p>{each}</p>" for each in one.paragraphs)
        return f"<title>The Site</title><h1>The Site</h1><h2>{one.title}</h2><div>{text}</div>"

    stories = [story(number) for number in range(PAGES)]
    pages = [SitePage(url=one.url, tree=build_tree(make(n))) for n, one in enumerate(stories)]
    alike = ClusterOfPages(members=tuple(range(PAGES)))
    model = learn_site(pages, [alike], baselines=BASELINES.values(), fallback=single_page_leaves)
    known = [
        replace(one, labels=one.labels.replace(title=Selector("h1"), title_score=0.1))
        for one in model.patterns
    ]
    model = replace(model, patterns=tuple(known))
    for one, page in zip(stories, pages, strict=True):
        assert model.read(page).article.title == one.title


def test_comments_below_a_heading_that_names_them_are_no_body():
    """The heading and the comments are siblings, and the comments have no names."""

    def make(number):
        one = story(number)
        text = "".join(f"<p>{each}</p>" for each in one.paragraphs)
        replies = "".join(f"<p>{each} I wonder.</p>" for each in story(number + 90).paragraphs)
        return f"<h1>{one.title}</h1><div class=text>{text}<h3 id=comments>2 replies</h3>{replies}"

    stories = [story(number) for number in range(PAGES)]
    pages = [SitePage(url=one.url, tree=build_tree(make(n))) for n, one in enumerate(stories)]
    alike = ClusterOfPages(members=tuple(range(PAGES)))
    model = learn_site(pages, [alike], baselines=BASELINES.values())
    for one, page in zip(stories, pages, strict=True):
        assert model.read(page).article.body == one.body
        assert page.tree.text_of(single_page_leaves(page.tree)[1][-1]) == one.paragraphs[-1]
