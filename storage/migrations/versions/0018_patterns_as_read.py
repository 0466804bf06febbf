"""Patterns hold all that extraction reads of them; models how pages were grouped.

What an earlier version learned cannot be read any more: it is learned again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0014"
branch_labels = None
depends_on = None

REAL = sa.Double().with_variant(sa.REAL(), "sqlite")


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


def downgrade() -> None:
    for name in ("position", "article_share", "labels"):
        op.drop_column("patterns", name)
    for name in ("similarity", "replace_cost", "dendrogram"):
        op.drop_column("models", name)
