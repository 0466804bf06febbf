"""Marks of readers: articles that were read or starred."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reader_marks",
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("read_at", sa.Text(), nullable=True),
        sa.Column("starred_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name="fk_reader_marks_page_id_pages", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("page_id", name="pk_reader_marks"),
        sqlite_strict=True,
    )


def downgrade() -> None:
    op.drop_table("reader_marks")
