"""The V-Wrapper's experiments on real sites: `python -m benchmarks.visual`.

usage: python -m benchmarks.visual [--only NAME,...] [--results FILE] [--models FOLDER]
                                   [--figures FOLDER]

Pages of the sites whose looks are at hand (24 articles and 12 others each) are laid out once and
kept outside the project. Sites that a wrapper is tested on are never among those that it learned
from, except in `seen`, the paper's own setting. Labels come from the truth, or (`self-supervised`,
and for the models that come with the program) from the articles that flong finds on these pages
when it has learned their site: no truth, no hand labels. `sites-N` is Figure 5; `reis` and `flong`
are the template wrappers of Figure 6 on the same pages. What is done is written to --results as it
comes, and not done again.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.corpus import ArticleTruth, cache_folder, find_sites
from benchmarks.scoring import CORRECT_F1, FoundArticle, body_f1
from benchmarks.visual_pages import (
    LaidOutPage,
    laid_out_pages,
    looks_folder,
    template_articles,
)
from flong.text import fold_text
from flong.visual import (
    FEATURES,
    GEOMETRY,
    SECOND,
    LabelledBlocks,
    PublishedWrapper,
    TrainedWrapper,
    VWrapper,
    Wrapper,
    label_leaves,
    train,
    train_published,
    write_wrapper,
)
from flong.visual.stored_pages import fingerprint, leaf_f1

TESTED = 4
"""Every so many sites are test sites, always the same."""
CURVE = (1, 2, 3, 6, 12, 14)
"""Numbers of training sites of Figure 5; the last is all."""
Trainer = Callable[[Sequence[LabelledBlocks]], Wrapper]


@dataclass(frozen=True, eq=False, kw_only=True)
class VisualExample:
    """A page with what is true of it, and what our methods say."""

    page: LaidOutPage
    truth: ArticleTruth | None
    """None for a page that is no article."""
    labelled: LabelledBlocks
    """By the truth."""
    supervised: LabelledBlocks
    """By flong's own articles."""


Examples = Mapping[str, Sequence[VisualExample]]
"""By site."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisualFigures:
    """How right a wrapper is on one site, or on average."""

    leaf_f1: float
    """Mean F1 of the leaves that are title and content: the paper's measure."""
    news_leaf_f1: float
    """The same if the wrapper is told, as in the paper, that every page is news."""
    body_f1: float
    """Mean F1 of the words of the body."""
    title: float
    """Share of right titles."""
    correct: float
    """Share of articles with the right title and a body F1 of at least .90."""
    others_taken: float
    """Share of the other pages on which it finds an article."""


def load_examples(*, styled: bool = True) -> dict[str, list[VisualExample]]:
    """Return the examples of all sites whose looks are at hand."""
    found = {}
    for site in find_sites():
        if looks_folder(site) is None:
            continue
        ours = template_articles(site)
        found[site.slug] = [
            VisualExample(
                page=page,
                truth=truth,
                labelled=_labelled(site.slug, page, truth),
                supervised=_labelled(site.slug, page, ours.get(page.path)),
            )
            for page in laid_out_pages(site, styled=styled)
            for truth in [site.truth.get(page.path)]
        ]
    return found


def _labelled(
    slug: str, page: LaidOutPage, known: ArticleTruth | FoundArticle | None
) -> LabelledBlocks:
    title, body = (known.title, known.body) if known else ("", "")
    labels = label_leaves(page.tree, page.blocks, title, body)
    return LabelledBlocks(blocks=page.blocks, labels=labels, site=slug)


def judge(wrapper: Wrapper, examples: Sequence[VisualExample]) -> VisualFigures:
    """Return how right a wrapper is on the pages of a site."""
    leaves, bodies, titles, correct, taken, told = [], [], [], [], [], []
    credulous = replace(wrapper, page_cut=-2.0) if isinstance(wrapper, VWrapper) else wrapper
    for each in examples:
        answer, tree, blocks = wrapper.read(each.page.blocks), each.page.tree, each.page.blocks
        if each.truth is None:
            taken.append(len(answer.content) > 0)
            continue
        content = map(tree.text_of, blocks.vertex[answer.content].tolist())
        title = " ".join(map(tree.text_of, blocks.vertex[answer.titles].tolist()))
        leaves.append(leaf_f1(each.labelled, answer))
        told.append(leaf_f1(each.labelled, credulous.read(blocks)))
        bodies.append(body_f1(each.truth.body, "\n".join(content)))
        titles.append(fold_text(title) == fold_text(each.truth.title))
        correct.append(titles[-1] and bodies[-1] >= CORRECT_F1)
    return VisualFigures(
        leaf_f1=_mean(leaves),
        news_leaf_f1=_mean(told),
        body_f1=_mean(bodies),
        title=_mean(titles),
        correct=_mean(correct),
        others_taken=_mean(taken),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(len(values), 1)


def mean_figures(by_site: Mapping[str, VisualFigures]) -> VisualFigures:
    """Return the plain average over sites."""
    rows = [asdict(each) for each in by_site.values()]
    return VisualFigures(**{name: _mean([row[name] for row in rows]) for name in rows[0]})


def unseen(
    examples: Examples,
    trainer: Trainer,
    *,
    supervised: bool = False,
    count: int | None = None,
) -> dict[str, VisualFigures]:
    """Train on so many sites, or all that are none of the test sites, and judge the test sites."""
    tests, training = _test_sites(examples)
    wrapper = trainer(_pages(examples, training[:count], supervised))
    return {slug: judge(wrapper, examples[slug]) for slug in tests}


def seen(examples: Examples, trainer: Trainer) -> dict[str, VisualFigures]:
    """Test on other pages of the sites that were learned from, as the paper does."""
    halves = [{s: rows[start::2] for s, rows in examples.items()} for start in (0, 1)]
    wrapper = trainer(_pages(halves[0], sorted(examples), supervised=False))
    return {slug: judge(wrapper, halves[1][slug]) for slug in _test_sites(examples)[0]}


def _pages(examples: Examples, slugs: Sequence[str], supervised: bool) -> list[LabelledBlocks]:
    return [
        each.supervised if supervised else each.labelled
        for slug in slugs
        for each in examples[slug]
    ]


def without_geometry(pages: Sequence[LabelledBlocks]) -> Wrapper:
    """Train without any feature that says where a block lies."""
    return train(pages, [name for name in FEATURES + SECOND if name not in GEOMETRY])


def by_template(examples: Examples, *, as_published: bool) -> dict[str, VisualFigures]:
    """Judge a template wrapper, which knows the site, on the same pages (Figure 6)."""
    return {
        site.slug: _judge_articles(
            template_articles(site, as_published=as_published), examples[site.slug]
        )
        for site in find_sites(_test_sites(examples)[0])
    }


def _judge_articles(
    found: Mapping[str, FoundArticle], examples: Sequence[VisualExample]
) -> VisualFigures:
    bodies, titles, correct, taken = [], [], [], []
    for each in examples:
        own = found.get(each.page.path)
        if each.truth is None:
            taken.append(own is not None)
            continue
        bodies.append(body_f1(each.truth.body, own.body) if own else 0.0)
        titles.append(bool(own and fold_text(own.title) == fold_text(each.truth.title)))
        correct.append(titles[-1] and bodies[-1] >= CORRECT_F1)
    return VisualFigures(
        leaf_f1=math.nan,
        news_leaf_f1=math.nan,
        body_f1=_mean(bodies),
        title=_mean(titles),
        correct=_mean(correct),
        others_taken=_mean(taken),
    )


EXPERIMENTS: Mapping[str, Callable[[Examples], dict[str, VisualFigures]]] = {
    "self-supervised": lambda examples: unseen(examples, train, supervised=True),
    "as-published": lambda examples: unseen(examples, train_published),
    "self-supervised-as-published": lambda examples: unseen(
        examples, train_published, supervised=True
    ),
    "truth": lambda examples: unseen(examples, train),
    "seen": lambda examples: seen(examples, train),
    "without-geometry": lambda examples: unseen(examples, without_geometry),
    **{
        f"sites-{count}": lambda examples, count=count: unseen(  # type: ignore[misc]
            examples, train, supervised=True, count=count
        )
        for count in CURVE
    },
    "without-style-sheets": lambda _: unseen(load_examples(styled=False), train),
    "flong": lambda examples: by_template(examples, as_published=False),
    "reis": lambda examples: by_template(examples, as_published=True),
}
"""By name; Figure 5 is `sites-N`, Figure 6 `self-supervised` beside `flong` and `reis`."""


def write_models(examples: Examples, folder: Path) -> None:
    """Write the wrappers that come with the program, with their figures on the test sites.

    They are trained without the truth, on the sites that are not test sites.
    """
    tests, training = _test_sites(examples)
    pages = _pages(examples, training, supervised=True)
    wrappers: dict[str, VWrapper | PublishedWrapper] = {
        "model.json": train(pages),
        "model-as-published.json": train_published(pages),
    }
    for name, wrapper in wrappers.items():
        judged = mean_figures({slug: judge(wrapper, examples[slug]) for slug in tests})
        figures = {name: round(value, 3) for name, value in asdict(judged).items()}
        print(name, *(f"{k} {v:.3f}" for k, v in figures.items()), flush=True)
        trained = TrainedWrapper(
            wrapper=wrapper,
            sites=tuple(training),
            pages=len(pages),
            fingerprint=fingerprint(pages),
            figures=figures,
        )
        (folder / name).write_text(write_wrapper(trained), encoding="utf-8")


def _test_sites(examples: Examples) -> tuple[list[str], list[str]]:
    """Return the test sites, and those that can be learned from."""
    slugs = sorted(examples)
    tests = slugs[::TESTED]
    return tests, [slug for slug in slugs if slug not in tests]


def draw(results: Mapping[str, Any], folder: Path) -> None:
    """Draw Figures 5 and 6 from the results."""
    from benchmarks.figures import draw_sites, draw_training_sites  # noqa: PLC0415 - matplotlib

    rows = [(n, results[f"sites-{n}"]["mean"]) for n in CURVE if f"sites-{n}" in results]
    if rows:
        draw_training_sites(rows, folder / "training-sites.svg")
    named = {
        "V-Wrapper, unseen sites": "self-supervised",
        "flong, site learned": "flong",
        "Reis et al. as printed, site learned": "reis",
    }
    found = {name: results[key]["sites"] for name, key in named.items() if key in results}
    if len(found) > 1:
        draw_sites(found, folder / "sites.svg")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.visual", description=(__doc__ or "").strip())
    parser.add_argument(
        "--only", default="", help="names of experiments, separated by commas, or none"
    )
    parser.add_argument("--results", type=Path, default=cache_folder() / "visual.json")
    parser.add_argument("--models", type=Path, help="also write the models into this folder")
    parser.add_argument("--figures", type=Path, help="also draw Figures 5 and 6 there")
    args = parser.parse_args(arguments)
    wanted = list(EXPERIMENTS) if args.only == "" else args.only.replace("none", "").split(",")
    wanted = [name for name in wanted if name]
    if not {*wanted} <= {*EXPERIMENTS}:
        parser.error(f"--only {args.only!r}: there are {', '.join(EXPERIMENTS)}")
    examples = load_examples()
    if not examples:
        print("there are no sites with looks: set FLONG_SITES and FLONG_LOOKS", file=sys.stderr)
        return 2
    results = json.loads(args.results.read_text()) if args.results.is_file() else {}
    for name in wanted:
        if name not in results:
            found = EXPERIMENTS[name](examples)
            rows = {slug: asdict(each) for slug, each in found.items()}
            results[name] = {"mean": asdict(mean_figures(found)), "sites": rows}
            args.results.write_text(json.dumps(results, indent=1))
        print(name, *(f"{k} {v:.3f}" for k, v in results[name]["mean"].items()), flush=True)
    if args.models:
        write_models(examples, args.models)
    if args.figures:
        draw(results, args.figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
