"""Pages composed into each pattern; a pattern's tree is stored once, as text."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Models that earlier versions stored are learned again: nothing reads the column any more.
    op.execute("ALTER TABLE patterns DROP COLUMN data")
    op.create_table(
        "pattern_pages",
        sa.Column("pattern_id", sa.Integer(), nullable=False),
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["pattern_id"],
            ["patterns.id"],
            name="fk_pattern_pages_pattern_id_patterns",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name="fk_pattern_pages_page_id_pages", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("pattern_id", "page_id", name="pk_pattern_pages"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_pattern_pages_page_id", "pattern_pages", ["page_id"])


def downgrade() -> None:
    op.drop_table("pattern_pages")
    op.execute("ALTER TABLE patterns ADD COLUMN data TEXT DEFAULT '{}' NOT NULL")
