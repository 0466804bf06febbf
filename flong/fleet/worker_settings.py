"""Settings of a fleet worker."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """Settings of a fleet worker."""

    jobs: int = 1
    """Maximum concurrent jobs."""
    host: str = ""
    """Name of the machine; defaults to the host name."""
    heartbeat_seconds: float = 10.0
    """Seconds between heartbeats."""
    grace_seconds: float = 60.0
    """Seconds for running jobs to finish when the worker is stopped."""
    retry_seconds: float = 60.0
    """Seconds before the first retry; doubled for each further one."""
    drain: bool = False
    """Exit when no job is left."""
    options: Sequence[str] = ()
    """Settings of the jobs, as `NAME=VALUE`."""
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    """Environment variables of the jobs."""
