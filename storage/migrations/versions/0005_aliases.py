"""Aliases: addresses that lead to a page elsewhere, or to nothing that is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "aliases",
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=True),
        sa.Column("is_page", sa.Integer(), nullable=False),
        sa.Column("checked_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_aliases_site_id_sites", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("site_id", "url", name="pk_aliases"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("aliases")
