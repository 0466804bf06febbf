"""What people said about pages, and what they have seen of what needs a look."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "corrections",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("selector", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Text(), nullable=False),
        sa.Column("undone_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_corrections_site_id_sites", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name="fk_corrections_page_id_pages", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_corrections"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_corrections_site_id", "corrections", ["site_id"])
    op.create_index("ix_corrections_page_id", "corrections", ["page_id"])
    op.create_table(
        "look_states",
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("said_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_look_states_site_id_sites", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("site_id", "about", name="pk_look_states"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("look_states")
    op.drop_table("corrections")
