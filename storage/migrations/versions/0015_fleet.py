"""Jobs of a fleet, one a site and round, and how important a site is."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

REAL = sa.Double().with_variant(sa.REAL(), "sqlite")
STATES = ("waiting", "running", "done", "failed", "set_aside")
KINDS = ("nightly", "learn", "extract")


def _one_of(column: str, values: tuple[str, ...], table: str) -> sa.CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{column} IN ({listed})", name=f"ck_{table}_{column}")


def upgrade() -> None:
    op.execute("ALTER TABLE sites ADD COLUMN importance INTEGER DEFAULT 0 NOT NULL")
    op.create_table(
        "fleet_rounds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("queued_at", sa.Text(), nullable=False),
        sa.Column("reported_at", sa.Text(), nullable=True),
        _one_of("kind", KINDS, "fleet_rounds"),
        sa.PrimaryKeyConstraint("id", name="pk_fleet_rounds"),
        sa.UniqueConstraint("kind", "name", name="uq_fleet_rounds_kind_name"),
        sqlite_strict=True,
    )
    op.create_table(
        "fleet_jobs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.Text(), nullable=False),
        sa.Column("expected_seconds", REAL, nullable=False),
        sa.Column("run_before", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("started_at", sa.Text(), nullable=True),
        sa.Column("finished_at", sa.Text(), nullable=True),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        _one_of("state", STATES, "fleet_jobs"),
        sa.ForeignKeyConstraint(
            ["round_id"],
            ["fleet_rounds.id"],
            name="fk_fleet_jobs_round_id_fleet_rounds",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_fleet_jobs_site_id_sites", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name="fk_fleet_jobs_run_id_runs", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_fleet_jobs"),
        sa.UniqueConstraint("round_id", "site_id", name="uq_fleet_jobs_round_id_site_id"),
        sqlite_strict=True,
    )
    for column in ("site_id", "state"):
        op.create_index(f"ix_fleet_jobs_{column}", "fleet_jobs", [column])


def downgrade() -> None:
    op.drop_table("fleet_jobs")
    op.drop_table("fleet_rounds")
    op.execute("ALTER TABLE sites DROP COLUMN importance")
