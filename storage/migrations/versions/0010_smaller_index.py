"""The full-text index of SQLite without positions, a third of the size; made anew by itself."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

OLD = (
    "CREATE VIRTUAL TABLE search_index USING fts5"
    " (title, body, authors, content = '', tokenize = 'ascii')"
)
NEW = (
    "CREATE VIRTUAL TABLE search_index USING fts5 (terms, content = '', detail = none,"
    """ columnsize = 0, tokenize = "ascii tokenchars '#&+'")"""
)


def upgrade() -> None:
    _forget()
    op.add_column("search_documents", sa.Column("length", sa.Integer(), nullable=False))
    _replace(NEW)


def downgrade() -> None:
    _forget()
    with op.batch_alter_table("search_documents") as table:
        table.drop_column("length")
    _replace(OLD)


def _forget() -> None:
    """Empty what the next command fills again, as the version of the index is not there."""
    for table in ("search_documents", "stories", "search_version"):
        op.execute(f"DELETE FROM {table}")
    if op.get_context().dialect.name == "postgresql":
        op.execute("TRUNCATE search_index")


def _replace(index: str) -> None:
    if op.get_context().dialect.name == "sqlite":
        op.execute("DROP TABLE search_vocabulary")
        op.execute("DROP TABLE search_index")
        op.execute(index)
        op.execute("CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search_index, row)")
