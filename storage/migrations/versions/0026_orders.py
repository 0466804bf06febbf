"""Indexes in the orders of the inspector's lists, and of what a night brought: little is read."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0024"
branch_labels = None
depends_on = None

# As `storage.lists.DOUBT` has it.
DOUBT = """(
    (CASE WHEN confidence < 0.7 THEN 2 ELSE 0 END)
    + (CASE WHEN method <> 'pattern' THEN 2 ELSE 0 END)
    + (CASE WHEN published IS NULL THEN 1 ELSE 0 END)
)"""
CURRENT, GONE = "retired_at IS NULL", "outcome IN ('gone', 'soft_404')"
# What is asked for stands in them whole: PostgreSQL reads nothing else then.
NEW: tuple[tuple[str, str, tuple[str, ...], str | None], ...] = (
    (
        "ix_articles_doubt",
        "articles",
        (f"{DOUBT} DESC", "confidence", "page_id", "method", "published"),
        CURRENT,
    ),
    (
        "ix_articles_created_at_site_id_page_id_published_retired_at",
        "articles",
        ("created_at", "site_id", "page_id", "published", "retired_at"),
        None,
    ),
    ("ix_articles_pattern_id", "articles", ("pattern_id",), None),
    ("ix_search_documents_dated_page_id", "search_documents", ("dated DESC", "page_id"), None),
    ("ix_runs_started_at", "runs", ("started_at",), None),
    ("ix_pages_run_id_id", "pages", ("run_id", "id"), GONE),
)
OLD: tuple[tuple[str, str, tuple[str, ...], str | None], ...] = (
    (
        "ix_articles_confidence_method_published_page_id",
        "articles",
        ("confidence", "method", "published", "page_id"),
        CURRENT,
    ),
    ("ix_articles_created_at", "articles", ("created_at",), None),
)


def upgrade() -> None:
    _replace(OLD, NEW)


def downgrade() -> None:
    _replace(NEW, OLD)


def _replace(
    old: tuple[tuple[str, str, tuple[str, ...], str | None], ...],
    new: tuple[tuple[str, str, tuple[str, ...], str | None], ...],
) -> None:
    for name, table, _, _ in old:
        op.drop_index(name, table)
    for name, table, columns, where in new:
        condition = None if where is None else sa.text(where)
        op.create_index(
            name,
            table,
            list(map(sa.text, columns)),
            sqlite_where=condition,
            postgresql_where=condition,
        )
