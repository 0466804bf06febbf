"""The crawl that requested an alias last, instead of a comparison of times."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("aliases", sa.Column("run_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("aliases", "run_id")
