"""Learn recipes from example pages, and judge them."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urljoin

from cssselect import SelectorError

from flong.links import Element
from flong.patterns import Labels, Selector
from flong.recipes.bodies import choose_body
from flong.recipes.documents import all_names, own_names, parse_page, plainness, xpath_of
from flong.recipes.examples import Example, ExamplePage
from flong.recipes.fields import choose_author, choose_date, choose_title
from flong.recipes.reader import lines_of
from flong.recipes.recipe import Agreement, Difference, Recipe, RecipeFinding, Template, read_with
from flong.urls import canonical_url

LEARNED_FROM = 40
"""Maximum examples from which a template's selectors are chosen; all are used for judging."""
LISTED = 50
"""Maximum differences listed."""
_ENOUGH = 0.9
"""Minimum agreement for another pattern's template to cover a pattern's pages."""
_FEW = 3
"""Minimum pages of a pattern for a template of its own."""
_BETTER = 0.05
_POOLS = 3
_HEADLINE = 3
"""Minimum words of a link that may be a headline."""
_KEY = re.compile(r"[\w:.-]+", re.ASCII)
_TELLING = ("body", "meta", "main", "article")
"""Elements that best identify a kind of page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """Learned selectors of a pattern as CSS; empty where CSS cannot express them."""

    title: str = ""
    body: str = ""
    exclude: tuple[str, ...] = ()
    date: str = ""
    author: str = ""

    @classmethod
    def of(cls, labels: Labels) -> "Hints":
        """Return the hints given by the labels of a pattern."""
        exclude = map(css_of, labels.exclusions.selectors)
        return cls(
            title=css_of(labels.title),
            body=css_of(labels.body),
            exclude=tuple(css for css in exclude if css),
            date=css_of(labels.date),
            author=css_of(labels.author.selector if labels.author else None),
        )


def css_of(selector: Selector | None) -> str:
    """Return a learned selector as CSS; empty if it is missing or a vertex of a pattern.

    >>> css_of(Selector("p", "b", inside=Selector("div", ident="a"))), css_of(Selector(vertex=3))
    ('div#a p.b', '')
    """
    outer = selector.inside if selector else None
    if selector is None or selector.vertex >= 0 or (outer is not None and outer.vertex >= 0):
        return ""
    css = str(selector)
    try:
        xpath_of(css)
    except SelectorError:  # a class such as `md:w-1/2` needs escapes
        return ""
    return css


def learn_recipe(
    site: str,
    url: str,
    pages: Sequence[ExamplePage],
    labels: Mapping[int, Labels],
    *,
    articles: Collection[str] = (),
) -> Recipe | None:
    """Return the recipe of a site; None if it has no articles.

    `labels` are those of its patterns, by id. `articles` are the URLs of all its articles.
    """
    examples, others = _parted(pages)
    hints = {number: Hints.of(said) for number, said in labels.items()}
    ordered = _ordered(_templates(examples, hints), examples)
    templates = _used(_with_conditions(ordered, examples, others), examples)
    if not templates:
        return None
    home = next((page for page in pages if canonical_url(page.url) == canonical_url(url)), None)
    recipe = Recipe(
        site=site,
        url=url,
        templates=tuple(templates),
        links=_links(home, {*articles, *(one.url for one in examples)}) if home else "",
    )
    return _judge(recipe, examples, others)


def judge_recipe(recipe: Recipe, pages: Sequence[ExamplePage]) -> Recipe:
    """Return a recipe with its agreement and differences on these pages."""
    return _judge(recipe, *_parted(pages))


def _parted(pages: Sequence[ExamplePage]) -> tuple[list[Example], list[Element]]:
    """Split pages into those with an article and those without, parsed by lxml."""
    examples = [one for page in pages if (one := Example.of(page)) is not None]
    roots = (parse_page(page.html) for page in pages if not page.article)
    return examples, [root for root in roots if root is not None]


def _judge(recipe: Recipe, examples: Sequence[Example], others: Sequence[Element]) -> Recipe:
    by_template: dict[Template | None, Counter[str]] = defaultdict(Counter)
    differences = []
    for one in examples:
        found = read_with(recipe.templates, one.root)
        template = found.template if found else _home_of(one, recipe.templates)
        by_template[template].update(_counted(one, found))
        if one.is_given_by(found):
            by_template[template]["same"] += 1
        else:
            differences.append(Difference(one.url, one.difference(found)))
    return replace(
        recipe,
        agreement=Agreement(**sum(by_template.values(), Counter())),
        by_template=tuple(Agreement(**by_template[one]) for one in recipe.templates),
        others=len(others),
        taken=sum(read_with(recipe.templates, root) is not None for root in others),
        differences=tuple(differences[:LISTED]),
    )


def _home_of(example: Example, templates: Sequence[Template]) -> Template | None:
    return next((one for one in templates if example.pattern in one.patterns), None)


def _counted(example: Example, found: RecipeFinding | None) -> dict[str, int]:
    return {
        "articles": 1,
        "dated": example.day is not None,
        "same_day": found is not None and example.has_day(found.date),
        "signed": bool(example.authors),
        "same_authors": found is not None and example.has_authors(found.author),
    }


def _templates(examples: Sequence[Example], hints: Mapping[int, Hints]) -> list[Template]:
    """Return a template for each pattern that the templates of larger patterns do not cover."""
    groups: dict[int | None, list[Example]] = defaultdict(list)
    for one in examples:
        groups[one.pattern].append(one)
    templates: list[Template] = []
    for pattern, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        made = None
        before = max((_share(one, group) for one in templates), default=0.0)
        if before < _ENOUGH and (len(group) >= _FEW or not templates):
            made = _learn(group, hints.get(-1 if pattern is None else pattern, Hints()))
        if made is not None and _share(made, group) > before + _BETTER:
            templates.append(made)
    better = [_again(one, templates, examples, hints) for one in templates]
    templates = list(dict.fromkeys(better))
    for _ in range(_POOLS):
        left = [one for one in examples if not one.is_given_by(read_with(templates, one.root))]
        made = _learn(left, Hints()) if len(left) >= _FEW else None
        if made is None or _share(made, left) * len(left) < max(_FEW, 0.1 * len(left)):
            break
        if made in templates:
            break
        templates.append(made)
    return templates


def _again(
    template: Template,
    templates: Sequence[Template],
    examples: Sequence[Example],
    hints: Mapping[int, Hints],
) -> Template:
    """Relearn a template from the pages of all patterns it covers; keep the better one."""
    own = [one for one in examples if _best_for(one, templates) is template]
    number = Counter(one.pattern for one in own).most_common(1)
    hint = hints.get(number[0][0] or 0, Hints()) if number else Hints()
    made = _learn(own, hint) if own else None
    return made if made is not None and _share(made, own) > _share(template, own) else template


def _best_for(example: Example, templates: Sequence[Template]) -> Template | None:
    found = ((one, one.read(example.root)) for one in templates)
    return next((one for one, read in found if example.is_given_by(read)), None)


def _share(template: Template, examples: Sequence[Example]) -> float:
    given = sum(one.is_given_by(template.read(one.root)) for one in examples)
    return given / max(len(examples), 1)


def _learn(examples: Sequence[Example], hints: Hints) -> Template | None:
    """Return the template shared by these pages, or None."""
    some = examples[:: max(1, len(examples) // LEARNED_FROM)][:LEARNED_FROM]
    title = choose_title(some, hints.title)
    body = choose_body(some, hints.body, hints.exclude)
    if title is None or body is None:
        return None
    date, author = choose_date(some, hints.date), choose_author(some, hints.author)
    return Template(
        title=title.place,
        body=body.css,
        exclude=body.exclude,
        date=date.place if date else None,
        author=author.place if author else None,
    )


def _ordered(templates: Sequence[Template], examples: Sequence[Example]) -> list[Template]:
    """Order templates so that those which misread the pages of others come last."""

    def wrong(template: Template) -> int:
        read = ((one, template.read(one.root)) for one in examples)
        return sum(found is not None and not one.is_given_by(found) for one, found in read)

    return sorted(templates, key=wrong)


def _used(templates: Sequence[Template], examples: Sequence[Example]) -> list[Template]:
    """Return the templates in use, each with the ids of its patterns."""
    patterns: dict[Template, set[int]] = defaultdict(set)
    for one in examples:
        found = read_with(templates, one.root)
        if found is not None:
            patterns[found.template].update(() if one.pattern is None else (one.pattern,))
    used = [one for one in templates if one in patterns]
    return [replace(one, patterns=tuple(sorted(patterns[one]))) for one in used]


def _with_conditions(
    templates: Sequence[Template], examples: Sequence[Example], others: Sequence[Element]
) -> list[Template]:
    """Return the templates, each with a condition if it also matches other pages.

    Other pages are those without an article, and those that a later template reads better.
    """
    found = []
    for at, one in enumerate(templates):
        rightly, wrongly = [], [root for root in others if one.read(root) is not None]
        for each in examples:
            read = one.read(each.root)
            if read is not None and not each.is_given_by(read) and _best_for(each, templates[at:]):
                wrongly.append(each.root)
            elif read is not None and each.has_title(read.title):
                rightly.append(each.root)
        found.append(replace(one, only_if=_condition(rightly, wrongly)))
    return found


def _condition(rightly: Sequence[Element], wrongly: Sequence[Element]) -> str:
    """Return a selector shared by all `rightly` and the fewest `wrongly`; "" if it hardly helps."""
    if not rightly or not wrongly:
        return ""
    shared = _page_names(rightly[0])
    for root in rightly[1:]:
        shared &= _page_names(root)
    counts = Counter(name for root in wrongly for name in _page_names(root) & shared)
    telling = sorted(
        shared, key=lambda name: (not name.startswith(_TELLING), plainness(name), name)
    )
    best = min(telling, key=lambda name: counts[name], default="")
    return best if best and counts[best] <= 0.5 * len(wrongly) else ""


def _page_names(root: Element) -> set[str]:
    """Return selectors that may identify a kind of page: classes, ids, times and metadata."""
    elements = [one for one in root.iter() if isinstance(one.tag, str)]
    names = {name for one in elements for name in own_names(one)[:-1]}
    names.update("time" for one in elements if one.tag == "time")
    for one in root.iter("meta"):
        key = one.get("property") or ""
        if _KEY.fullmatch(key):
            names.add(f'meta[property="{key}"]')
        if key == "og:type" and (one.get("content") or "").isalpha():
            names.add(f'meta[content="{one.get("content")}"]')
    return names


def _links(home: ExamplePage, articles: Collection[str]) -> str:
    """Return the selector shared by article links on the home page, or ""."""
    root = parse_page(home.html)
    right: dict[str, set[str]] = defaultdict(set)
    wrong: Counter[str] = Counter()
    for link in root.iter("a") if root is not None else ():
        url = canonical_url(urljoin(home.url, link.get("href") or ""))
        said = len(" ".join(lines_of(link)).split())
        for name in all_names(link):
            if url in articles and said >= _HEADLINE:
                right[name].add(url or "")
            else:
                wrong[name] += url not in articles or not said
    most = max((len(urls) for urls in right.values()), default=0)

    def worth(name: str) -> float:
        return len(right[name]) / (most + wrong[name])

    best = max(map(worth, right), default=0.0)
    good = [name for name in right if worth(name) >= 0.95 * best]
    return min(good, key=lambda name: (plainness(name), name), default="")
