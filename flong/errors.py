"""Exceptions raised by the public API and by stages; str(error) is a message for the user."""


class FlongError(Exception):
    """Pages, a file or a database cannot be used."""


class PipelineError(Exception):
    """A stage cannot do its work."""


class OutdatedModel(PipelineError):
    """The model of a site was stored by another version of flong."""
