"""What a stage cannot do, each in one sentence.

PipelineError
└── OutdatedModel
"""


class PipelineError(Exception):
    """A stage cannot do what it was asked, for a reason that fits in one sentence."""


class OutdatedModel(PipelineError):
    """What was learned about a site was stored by another version of this program."""
