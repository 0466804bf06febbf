"""Alembic's environment: uses the connection of `Store.open`, else FLONG_DATABASE."""

import os
from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection
from sqlalchemy.types import TypeDecorator

from flong.storage.engine import make_engine
from flong.storage.tables import FULL_TEXT, ORDERED, metadata


def render_item(kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:
    """Render flong's column types as the SQL types that they have in the database."""
    if kind == "type" and isinstance(item, TypeDecorator):
        return f"sa.{type(item.impl_instance).__name__}()"
    return False


def include_name(name: str | None, kind: str, parents: Any) -> bool:
    """Exclude tables of the full-text index, and indexes that SQLAlchemy does not describe."""
    is_full_text = kind == "table" and (name or "").startswith(FULL_TEXT)
    return not is_full_text and not (kind == "index" and name in ORDERED)


def run(connection: Connection) -> None:
    """Run the migrations in the connection's transaction."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        include_name=include_name,
        render_item=render_item,
        render_as_batch=True,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    engine = make_engine(os.environ.get("FLONG_DATABASE", "sqlite:///flong.db"))
    with engine.execution_options(immediate=True).begin() as connection:
        run(connection)
    engine.dispose()
