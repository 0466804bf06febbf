"""What goes wrong in ways that a caller can do something about."""


class FlongError(Exception):
    """Pages, a file or a database that cannot be used; its text says why and what to do."""


class PipelineError(Exception):
    """A stage cannot do what it was asked, for a reason that fits in one sentence."""


class OutdatedModel(PipelineError):
    """What was learned about a site was stored by another version of this program."""
