"""How a worker works."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """How a worker works."""

    jobs: int = 1
    """Jobs at a time."""
    host: str = ""
    """What its machine is called; empty for the name that the system gives it."""
    heartbeat_seconds: float = 10.0
    """Time between two signs of life."""
    grace_seconds: float = 60.0
    """Time that jobs have to finish when the worker is told to stop."""
    retry_seconds: float = 60.0
    """Time until the first failure is tried again; each time it is twice as long."""
    drain: bool = False
    """Whether to end when nothing is left to do."""
    options: Sequence[str] = ()
    """Settings for the jobs, `NAME=VALUE` each."""
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    """Of the jobs."""
