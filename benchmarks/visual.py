"""The V-Wrapper's experiments on real sites: `python -m benchmarks.visual`.

usage: python -m benchmarks.visual [--only NAME,...] [--results FILE] [--models FOLDER]
                                   [--figures FOLDER]

Pages of the sites with style sheets (24 articles and 12 others each) are laid out once and kept
outside the project.

`experiment-1` and `experiment-2` follow the paper: news pages only, three groups of pages per site,
each group is the test set once, labels by the truth. Experiment 1 adds one training site after the
other. Experiment 2 compares the wrapper trained on all sites with template wrappers of each site.
--models trains the shipped wrappers, for pages with and without style sheets, on articles that
flong finds without truth, and judges them on sites that they did not learn from. Finished
experiments are kept in --results.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.corpus import ArticleTruth, cache_folder, find_sites
from benchmarks.methods import Half, extract_half, learn_half
from benchmarks.scoring import CORRECT_F1, FoundArticle, body_f1
from benchmarks.tables import Rows, show
from benchmarks.visual_pages import LaidOutPage, laid_out_pages, looks_folder, template_articles
from flong.stages.methods import learn_published
from flong.text import fold_text
from flong.tree import SitePage
from flong.visual import (
    CONTENT,
    TITLE,
    WRAPPERS,
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
from flong.visual.wrapper import VisualAnswer

TESTED = 4
"""Every fourth site is a test site of the shipped models."""
GROUPS = 3
"""Groups of pages of a site in the paper's cross-validation."""
CURVE = (1, 2, 3, 6, 10, 19)
"""Numbers of training sites in Experiment 1."""
Trainer = Callable[[Sequence[LabelledBlocks]], Wrapper]
TRAINERS: Mapping[str, Trainer] = {"as printed": train_published, "mended": train}


@dataclass(frozen=True, eq=False, kw_only=True)
class VisualExample:
    """A page with its truth and with the article that flong finds."""

    page: LaidOutPage
    truth: ArticleTruth | None
    """None for a page that is not an article."""
    labelled: LabelledBlocks
    """Labels by the truth."""
    supervised: LabelledBlocks
    """Labels by flong's own articles."""


Examples = Mapping[str, Sequence[VisualExample]]
"""Examples by site."""


def load_examples(*, styled: bool = True) -> dict[str, list[VisualExample]]:
    """Return the examples of all sites with style sheets, laid out with or without them."""
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


# The paper's protocol


def groups_of_news(examples: Examples) -> Iterator[tuple[Examples, Examples]]:
    """Yield training and test pages of each site three times; only news pages take part."""
    chance = np.random.default_rng(0)
    news = {}
    for slug, rows in examples.items():
        own = [each for each in rows if (each.labelled.labels == CONTENT).any()]
        news[slug] = [own[at] for at in chance.permutation(len(own)).tolist()]
    for group in range(GROUPS):
        yield (
            {s: [e for at, e in enumerate(own) if at % GROUPS != group] for s, own in news.items()},
            {s: own[group::GROUPS] for s, own in news.items()},
        )


def credulous(wrapper: Wrapper) -> Wrapper:
    """Return the wrapper without its decision whether a page is news: in the paper all are."""
    return replace(wrapper, page_cut=-2.0) if isinstance(wrapper, VWrapper) else wrapper


def leaves_right(wrapper: Wrapper, pages: Sequence[VisualExample]) -> float:
    """Return the mean F1 of title and content leaves: the paper's measure."""
    return fmean(leaf_f1(each.labelled, wrapper.read(each.page.blocks)) for each in pages)


def experiment_1(examples: Examples) -> Rows:
    """Return leaf F1 on all test sets together, by number of training sites (Figure 5).

    Also on the test sets of the training sites alone, and on those of the others.
    """
    slugs = sorted(examples)
    found: dict[tuple[int, str], list[float]] = {}
    for training, tests in groups_of_news(examples):
        for count in CURVE:
            pages = [each.labelled for slug in slugs[:count] for each in training[slug]]
            judged = {"": slugs, ", own sites": slugs[:count], ", other sites": slugs[count:]}
            for name, trainer in TRAINERS.items():
                wrapper = credulous(trainer(pages))
                for kind, some in judged.items():
                    if own := [each for slug in some for each in tests[slug]]:
                        value = leaves_right(wrapper, own)
                        found.setdefault((count, name + kind), []).append(value)
    names = dict.fromkeys(name for _, name in found)
    means = {key: fmean(values) for key, values in found.items()}
    return [
        {"training sites": count, **{name: means.get((count, name)) for name in names}}
        for count in CURVE
    ]


def experiment_2(examples: Examples) -> Rows:
    """Return leaf F1 by site, of wrappers of all sites and of template wrappers (Figure 6)."""
    found: dict[tuple[str, str], list[float]] = {}
    sites = {site.slug: site for site in find_sites(sorted(examples))}
    for training, tests in groups_of_news(examples):
        pages = [each.labelled for own in training.values() for each in own]
        wrappers = {name: credulous(trainer(pages)) for name, trainer in TRAINERS.items()}
        for slug, judged in tests.items():
            for name, wrapper in wrappers.items():
                found.setdefault((slug, name), []).append(leaves_right(wrapper, judged))
            refined = [*training[slug], *judged]
            half = Half(
                sites[slug],
                [sites[slug].page(each.page.path) for each in training[slug]],
                [sites[slug].page(each.page.path) for each in judged],
                {},
                0,
            )
            by_template = {
                "T-Wrapper": _by_reis(training[slug], judged),
                "T-Wrapper, refined": _by_reis(refined, judged),
                "flong": extract_half(half, learn_half(half)).found,
            }
            for name, articles in by_template.items():
                value = fmean(template_f1(each, articles[each.page.path]) for each in judged)
                found.setdefault((slug, name), []).append(value)
    names = dict.fromkeys(name for _, name in found)
    return [{"site": s, **{name: fmean(found[s, name]) for name in names}} for s in sorted(sites)]


def _by_reis(
    training: Sequence[VisualExample], judged: Sequence[VisualExample]
) -> dict[str, FoundArticle | None]:
    """Return the articles that a template wrapper by Reis et al. finds."""
    learned = learn_published([_site_page(each.page) for each in training])
    read = ((each.page.path, learned.read(_site_page(each.page))) for each in judged)
    return {path: FoundArticle(one.title, one.body) if one else None for path, one in read}


def _site_page(page: LaidOutPage) -> SitePage:
    return SitePage(url=page.url, tree=page.tree)


def template_f1(example: VisualExample, found: FoundArticle | None) -> float:
    """Return the leaf F1 of an article: its texts are labelled like those of the truth."""
    labelled = _labelled("", example.page, found)
    leaves = example.page.blocks.leaves
    answer = VisualAnswer(leaves[labelled.labels == TITLE], leaves[labelled.labels == CONTENT])
    return leaf_f1(example.labelled, answer)


# The shipped wrappers, on unseen sites


def judge(wrapper: Wrapper, examples: Sequence[VisualExample]) -> dict[str, float]:
    """Return the figures of a wrapper on the pages of one site."""
    rows: dict[str, list[float]] = {}
    for each in examples:
        answer, tree, blocks = wrapper.read(each.page.blocks), each.page.tree, each.page.blocks
        if each.truth is None:
            row = {"others taken": float(len(answer.content) > 0)}
        else:
            body = "\n".join(map(tree.text_of, blocks.vertex[answer.content].tolist()))
            title = " ".join(map(tree.text_of, blocks.vertex[answer.titles].tolist()))
            f1, right = (
                body_f1(each.truth.body, body),
                fold_text(title) == fold_text(each.truth.title),
            )
            row = {
                "leaf F1 on news": leaf_f1(each.labelled, credulous(wrapper).read(blocks)),
                "leaf F1": leaf_f1(each.labelled, answer),
                "body F1": f1,
                "title": float(right),
                "correct": float(right and f1 >= CORRECT_F1),
            }
        for name, value in row.items():
            rows.setdefault(name, []).append(value)
    return {name: fmean(values) for name, values in rows.items()}


def judge_all(wrapper: Wrapper, examples: Examples) -> dict[str, float]:
    """Return the means of the figures over the test sites."""
    by_site = [judge(wrapper, examples[slug]) for slug in test_sites(examples)]
    return {name: fmean(row[name] for row in by_site) for name in by_site[0]}


def test_sites(examples: Examples) -> list[str]:
    """Return the sites that the shipped wrappers do not learn from."""
    return sorted(examples)[::TESTED]


def training_pages(examples: Examples) -> list[LabelledBlocks]:
    """Return the pages of all other sites, labelled by flong's articles."""
    tests = test_sites(examples)
    return [
        each.supervised for slug in sorted(examples) if slug not in tests for each in examples[slug]
    ]


EXPERIMENTS: Mapping[str, Callable[[Examples], Rows]] = {
    "experiment-1": experiment_1,
    "experiment-2": experiment_2,
}


def write_models(examples: Examples, folder: Path) -> None:
    """Write the shipped wrappers with their figures on the test sites.

    They are trained without truth, one for pages with style sheets and one for pages without.
    """
    laid_out = (examples, load_examples(styled=False))
    trainers: Mapping[str, Callable[[Sequence[LabelledBlocks]], VWrapper | PublishedWrapper]] = {
        "v-wrapper": train,
        "v-wrapper-as-published": train_published,
    }
    for method, trainer in trainers.items():
        for name, own in zip(WRAPPERS[method], laid_out, strict=True):
            pages = training_pages(own)
            wrapper = trainer(pages)
            figures = {
                key.replace(" ", "_").lower(): round(value, 3)
                for key, value in judge_all(wrapper, own).items()
            }
            print(name, figures, flush=True)
            trained = TrainedWrapper(
                wrapper=wrapper,
                sites=tuple(slug for slug in sorted(own) if slug not in test_sites(own)),
                pages=len(pages),
                fingerprint=fingerprint(pages),
                figures=figures,
            )
            (folder / name).write_text(write_wrapper(trained), encoding="utf-8")


def draw(results: Mapping[str, Any], folder: Path) -> None:
    """Draw Figures 5 and 6 from the results."""
    from benchmarks.figures import draw_sites, draw_training_sites  # noqa: PLC0415 - matplotlib

    if "experiment-1" in results:
        draw_training_sites(results["experiment-1"], folder / "training-sites.svg")
    if "experiment-2" in results:
        draw_sites(results["experiment-2"], folder / "sites.svg")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.visual", description=(__doc__ or "").strip())
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
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
        parser.error(f"--only {args.only!r}: choose from {', '.join(EXPERIMENTS)}")
    examples = load_examples()
    if not examples:
        print("No sites with style sheets. Set FLONG_SITES and FLONG_LOOKS.", file=sys.stderr)
        return 2
    results = json.loads(args.results.read_text()) if args.results.is_file() else {}
    for name in wanted:
        if name not in results:
            results[name] = EXPERIMENTS[name](examples)
            args.results.write_text(json.dumps(results, indent=1))
        show(name, results[name])
    if args.models:
        write_models(examples, args.models)
    if args.figures:
        draw(results, args.figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
