"""The V-Wrapper's experiments on real sites: `python -m benchmarks.visual`.

usage: python -m benchmarks.visual [--only NAME,...] [--results FILE] [--models FOLDER]

Pages of the sites whose looks are at hand (24 articles and 12 others each) are laid out once and
kept outside the project. Sites that a wrapper is tested on are never among those that it learned
from, except in `seen`, the paper's own setting. Labels come from the truth, or (`self-supervised`,
and for the models that come with the program) from the consensus of the other papers' methods on
the same pages: no truth, no hand labels. What is done is written to --results as it comes, and not
done again.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.corpus import Truth, cache_folder, find_sites
from benchmarks.scoring import body_f1
from benchmarks.visual_pages import LaidOutPage, laid_out_pages, looks_folder
from extractors import EXTRACTORS
from items import fold_text
from pipeline.visual_wrapper import fingerprint, leaf_f1
from trees import SitePage
from visual import (
    FEATURES,
    GEOMETRY,
    LabelledPage,
    TrainedWrapper,
    Wrapper,
    label_leaves,
    train,
    train_published,
    write_wrapper,
)

FOLDS = 3
"""Sites are parted so often."""
CURVE = (1, 2, 3, 6, 12)
"""Numbers of training sites of Figure 5."""
Trainer = Callable[[Sequence[LabelledPage]], Wrapper]


@dataclass(frozen=True, eq=False, kw_only=True)
class Example:
    """A page with what is true of it, and what our methods say."""

    page: LaidOutPage
    truth: Truth | None
    """None for a page that is no article."""
    labelled: LabelledPage
    """By the truth."""
    supervised: LabelledPage
    """By the consensus."""


Examples = Mapping[str, Sequence[Example]]
"""By site."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisualFigures:
    """How right a wrapper is on one site, or on average."""

    leaf_f1: float
    """Mean F1 of the leaves that are title and content: the paper's measure."""
    body_f1: float
    """Mean F1 of the words of the body."""
    title: float
    """Share of right titles."""
    correct: float
    """Share of articles with the right title and a body F1 of at least .90."""
    others_taken: float
    """Share of the other pages on which it finds an article."""


def load_examples(*, styled: bool = True) -> dict[str, list[Example]]:
    """Return the examples of all sites whose looks are at hand."""
    found = {}
    for site in find_sites():
        if looks_folder(site) is None:
            continue
        pages = list(laid_out_pages(site, styled=styled))
        ours = EXTRACTORS["consensus"]([SitePage(url=p.url, tree=p.tree) for p in pages])
        found[site.slug] = [
            Example(
                page=page,
                truth=truth,
                labelled=_labelled(page, *((truth.title, truth.body) if truth else ("", ""))),
                supervised=_labelled(page, *((own.title, own.body) if own else ("", ""))),
            )
            for page, own in zip(pages, ours, strict=True)
            for truth in [site.truth.get(page.path)]
        ]
    return found


def _labelled(page: LaidOutPage, title: str, body: str) -> LabelledPage:
    return LabelledPage(
        blocks=page.blocks, labels=label_leaves(page.tree, page.blocks, title, body)
    )


def judge(wrapper: Wrapper, examples: Sequence[Example]) -> VisualFigures:
    """Return how right a wrapper is on the pages of a site."""
    leaves, bodies, titles, correct, taken = [], [], [], [], []
    for each in examples:
        answer, tree, blocks = wrapper.read(each.page.blocks), each.page.tree, each.page.blocks
        if each.truth is None:
            taken.append(len(answer.content) > 0)
            continue
        content = map(tree.text_of, blocks.vertex[answer.content].tolist())
        title = " ".join(map(tree.text_of, blocks.vertex[answer.titles].tolist()))
        leaves.append(leaf_f1(each.labelled, answer))
        bodies.append(body_f1(each.truth.body, "\n".join(content)))
        titles.append(fold_text(title) == fold_text(each.truth.title))
        correct.append(titles[-1] and bodies[-1] >= 0.9)
    return VisualFigures(
        leaf_f1=_mean(leaves),
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
    examples: Examples, trainer: Trainer, *, supervised: bool = False, tests: Examples | None = None
) -> dict[str, VisualFigures]:
    """Test on each site a wrapper that was trained on others."""
    slugs, found = sorted(examples), {}
    for fold in (slugs[start::FOLDS] for start in range(FOLDS)):
        wrapper = trainer(_pages(examples, [s for s in slugs if s not in fold], supervised))
        found.update({slug: judge(wrapper, (tests or examples)[slug]) for slug in fold})
    return found


def seen(examples: Examples, trainer: Trainer) -> dict[str, VisualFigures]:
    """Test on other pages of the sites that were learned from, as the paper does."""
    halves = [{s: rows[start::2] for s, rows in examples.items()} for start in (0, 1)]
    wrapper = trainer(_pages(halves[0], sorted(examples), supervised=False))
    return {slug: judge(wrapper, halves[1][slug]) for slug in sorted(examples)}


def curve(examples: Examples, trainer: Trainer, count: int) -> dict[str, VisualFigures]:
    """Train on so many sites and test on a third of all, always the same (Figure 5)."""
    slugs = sorted(examples)
    tests = slugs[::FOLDS]
    training = [slug for slug in slugs if slug not in tests][:count]
    wrapper = trainer(_pages(examples, training, supervised=False))
    return {slug: judge(wrapper, examples[slug]) for slug in tests}


def _pages(examples: Examples, slugs: Sequence[str], supervised: bool) -> list[LabelledPage]:
    return [
        each.supervised if supervised else each.labelled
        for slug in slugs
        for each in examples[slug]
    ]


def without_geometry(pages: Sequence[LabelledPage]) -> Wrapper:
    """Train without any feature that says where a block lies."""
    return train(pages, [name for name in FEATURES if name not in GEOMETRY])


EXPERIMENTS: Mapping[str, Callable[[Examples], dict[str, VisualFigures]]] = {
    "self-supervised": lambda examples: unseen(examples, train, supervised=True),
    "mended": lambda examples: unseen(examples, train),
    "as-published": lambda examples: unseen(examples, train_published),
    "self-supervised-as-published": lambda examples: unseen(
        examples, train_published, supervised=True
    ),
    "seen": lambda examples: seen(examples, train),
    "without-geometry": lambda examples: unseen(examples, without_geometry),
    **{
        f"sites-{count}": lambda examples, count=count: curve(examples, train, count)  # type: ignore[misc]
        for count in CURVE
    },
    "without-style-sheets": lambda examples: unseen(load_examples(styled=False), train),
}
"""By name; Figure 5 is `sites-N`."""


def write_models(examples: Examples, results: Mapping[str, object], folder: Path) -> None:
    """Write the wrappers that come with the program, trained on all sites without the truth."""
    slugs = sorted(examples)
    pages = _pages(examples, slugs, supervised=True)
    kinds = (
        ("model.json", train, "self-supervised"),
        ("model-as-published.json", train_published, "self-supervised-as-published"),
    )
    for name, trainer, experiment in kinds:
        trained = TrainedWrapper(
            wrapper=trainer(pages),
            sites=tuple(slugs),
            pages=len(pages),
            fingerprint=fingerprint(pages),
            figures=_rounded(results.get(experiment)),
        )
        (folder / name).write_text(write_wrapper(trained), encoding="utf-8")


def _rounded(found: object) -> dict[str, float]:
    mean = found.get("mean", {}) if isinstance(found, dict) else {}
    return {name: round(value, 3) for name, value in mean.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.visual", description=(__doc__ or "").strip())
    parser.add_argument("--only", default="", help="names of experiments, separated by commas")
    parser.add_argument("--results", type=Path, default=cache_folder() / "visual.json")
    parser.add_argument("--models", type=Path, help="also write the models into this folder")
    args = parser.parse_args(arguments)
    wanted = [name for name in args.only.split(",") if name] or list(EXPERIMENTS)
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
        write_models(examples, results, args.models)
    return 0


if __name__ == "__main__":
    sys.exit(main())
