"""The stage `corrections apply`: a site is learned with its corrections, its pages read anew."""

from flong.stages.article_merge import merge_corrected
from flong.stages.extraction import extract
from flong.stages.learning import learn
from flong.stages.learning_settings import LearningSettings
from flong.storage import Site, Store


def apply_corrections(store: Store, site: Site, settings: LearningSettings) -> tuple[str, bool]:
    """Learn a site with its corrections and read its pages anew; return what came of it.

    True if all went well: if a correction cannot be met, what was learned before is kept.
    """
    learned = learn(store, site, settings)
    if learned.look:
        return learned.summary, False
    read = extract(store, site, merge=merge_corrected, seconds=settings.page_seconds)
    return f"{learned.summary} {read.summary}", True
