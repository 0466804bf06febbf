"""Locks that tell which process has them without a clock, and whether it still counts.

Locks of the version before are dropped: its processes can do nothing with this schema.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

REAL = sa.Double().with_variant(sa.REAL(), "sqlite")
LARGE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _recreate(*columns: sa.schema.SchemaItem, key: tuple[str, ...]) -> None:
    op.drop_table("locks")
    op.create_table(
        "locks",
        sa.Column("site_id", sa.Integer(), nullable=False),
        *columns,
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("taken_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_locks_site_id_sites", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(*key, name="pk_locks"),
        sqlite_strict=True,
    )


def upgrade() -> None:
    _recreate(
        sa.Column("part", sa.Text(), nullable=False),
        sa.CheckConstraint("part IN ('owner', 'child')", name="ck_locks_part"),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("started", LARGE, nullable=False),
        sa.Column("heartbeats", sa.Integer(), nullable=False),
        sa.Column("heartbeat_seconds", REAL, nullable=False),
        key=("site_id", "part"),
    )


def downgrade() -> None:
    _recreate(key=("site_id",))
