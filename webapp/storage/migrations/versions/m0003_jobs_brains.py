"""Jobs with what they have written, and brains."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("parameters", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("step", sa.BigInteger, nullable=False),
        sa.Column("total", sa.BigInteger, nullable=False),
        sa.Column("metrics", sa.Text, nullable=False),
        sa.Column("pace", sa.Double),
        sa.Column("error", sa.String(500)),
        sa.Column("cancel", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.Column("begun", sa.Double),
        sa.Column("ended", sa.Double),
        sa.Column("holder", sa.String(32)),
        sa.Column("until", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_state_created", "jobs", ["state", "created"])
    op.create_index("ix_jobs_owner_created", "jobs", ["owner", "created"])
    op.create_table(
        "job_lanes",
        sa.Column("job_id", sa.String(32), nullable=False),
        sa.Column("lane", sa.Integer, nullable=False),
        sa.Column("step", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("job_id", "lane", name="pk_job_lanes"),
        _of_job("job_lanes"),
    )
    op.create_table(
        "job_points",
        sa.Column("job_id", sa.String(32), nullable=False),
        sa.Column("lane", sa.Integer, nullable=False),
        sa.Column("step", sa.BigInteger, nullable=False),
        sa.Column("metrics", sa.Text, nullable=False),
        sa.Column("digest", sa.String(32)),
        sa.PrimaryKeyConstraint("job_id", "lane", "step", name="pk_job_points"),
        _of_job("job_points"),
    )
    op.create_index("ix_job_points_digest", "job_points", ["digest"])
    op.create_table(
        "job_games",
        sa.Column("job_id", sa.String(32), nullable=False),
        sa.Column("pair", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("winner", sa.SmallInteger),
        sa.Column("ending", sa.String(20), nullable=False),
        sa.Column("fault", sa.String(300)),
        sa.Column("first_seconds", sa.Double),
        sa.Column("second_seconds", sa.Double),
        sa.PrimaryKeyConstraint("job_id", "pair", "round", name="pk_job_games"),
        _of_job("job_games"),
    )
    op.create_table(
        "brain_files",
        sa.Column("digest", sa.String(32), nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_brain_files"),
    )
    op.create_table(
        "brains",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("digest", sa.String(32), nullable=False),
        sa.Column("agent", sa.String(60), nullable=False),
        sa.Column("game", sa.String(500), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("job_id", sa.String(32)),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_brains"),
        sa.UniqueConstraint("owner", "digest", name="uq_brains_owner_digest"),
    )
    op.create_index("ix_brains_digest", "brains", ["digest"])


def _of_job(table: str) -> sa.ForeignKeyConstraint:
    """What a job has written goes with it."""
    name = f"fk_{table}_job_id_jobs"
    return sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=name, ondelete="CASCADE")


def downgrade() -> None:
    for table in ("brains", "brain_files", "job_games", "job_points", "job_lanes", "jobs"):
        op.drop_table(table)
