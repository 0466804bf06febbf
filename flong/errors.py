"""What goes wrong in ways that a caller can do something about."""


class FlongError(Exception):
    """Pages, a file or a database that cannot be used; its text says why and what to do."""
