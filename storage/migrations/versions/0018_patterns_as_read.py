"""Patterns hold all that extraction reads of them; models how pages were grouped.

What an earlier version learned cannot be read any more: it is learned again. Which outcomes a page
can have is checked by the database.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

REAL = sa.Double().with_variant(sa.REAL(), "sqlite")
OUTCOME = "outcome TEXT NOT NULL"
CHECK = (
    "CONSTRAINT ck_pages_outcome CHECK (outcome IN ('new', 'changed', 'unchanged', 'gone',"
    " 'soft_404', 'failed', 'walled', 'broken'))"
)


def _rewrite(old: str, new: str) -> None:
    """Change how SQLite describes the table of pages, as its manual says; rows stay untouched.

    To make the table anew would copy every page, or put a column behind the documents.
    """
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar() or 0
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    connection.exec_driver_sql(
        "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = 'pages'",
        (old, new),
    )
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = OFF")


def upgrade() -> None:
    for column in (
        sa.Column("position", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("article_share", REAL, nullable=False, server_default="0"),
        sa.Column("labels", sa.Text(), nullable=False, server_default=""),
    ):
        op.add_column("patterns", column)
    for column in (
        sa.Column("similarity", REAL),
        sa.Column("replace_cost", sa.Integer()),
        sa.Column("dendrogram", sa.Text()),
    ):
        op.add_column("models", column)
    op.execute(
        "UPDATE pages SET outcome = 'failed' WHERE outcome NOT IN ('new', 'changed', 'unchanged',"
        " 'gone', 'soft_404', 'failed', 'walled', 'broken')"
    )
    if op.get_bind().dialect.name == "sqlite":
        _rewrite(OUTCOME, f"{OUTCOME} {CHECK}")
    else:
        op.execute(f"ALTER TABLE pages ADD {CHECK}")


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _rewrite(f"{OUTCOME} {CHECK}", OUTCOME)
    else:
        op.execute("ALTER TABLE pages DROP CONSTRAINT ck_pages_outcome")
    for name in ("position", "article_share", "labels"):
        op.drop_column("patterns", name)
    for name in ("similarity", "replace_cost", "dendrogram"):
        op.drop_column("models", name)
