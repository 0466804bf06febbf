"""Indexes for what the inspector counts and sorts: its views stay fast with a million pages."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0020"
branch_labels = None
depends_on = None

TROUBLE = "outcome IN ('failed', 'walled', 'broken', 'gone', 'soft_404')"
INDEXES: tuple[tuple[str, tuple[str, ...], str | None], ...] = (
    ("pages", ("site_id",), "content_hash IS NOT NULL"),
    ("pages", ("site_id", "outcome"), TROUBLE),
    ("matches", ("run_id",), None),
    ("articles", ("site_id", "page_id"), "retired_at IS NULL"),
    ("articles", ("confidence", "method", "published", "page_id"), "retired_at IS NULL"),
    ("articles", ("created_at",), None),
    ("articles", ("retired_at",), "retired_at IS NOT NULL"),
    ("article_versions", ("seen_until",), None),
)


def upgrade() -> None:
    for table, columns, where in INDEXES:
        condition = None if where is None else sa.text(where)
        op.create_index(
            f"ix_{table}_{'_'.join(columns)}",
            table,
            list(columns),
            sqlite_where=condition,
            postgresql_where=condition,
        )


def downgrade() -> None:
    for table, columns, _ in INDEXES:
        op.drop_index(f"ix_{table}_{'_'.join(columns)}", table)
