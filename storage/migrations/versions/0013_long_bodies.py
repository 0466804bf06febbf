"""PostgreSQL: phrases at the end of long texts, whose positions a tsvector does not keep."""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_context().dialect.name == "postgresql":
        op.execute("ALTER TABLE search_index ADD COLUMN long_body text")


def downgrade() -> None:
    if op.get_context().dialect.name == "postgresql":
        op.execute("ALTER TABLE search_index DROP COLUMN long_body")
