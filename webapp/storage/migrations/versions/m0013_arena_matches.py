"""Games of an arena that bots play, each a match."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "job_matches",
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("pair", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_job_matches_job_id_jobs"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
            name=op.f("fk_job_matches_match_id_matches"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("job_id", "pair", "round", name=op.f("pk_job_matches")),
    )
    op.create_index(op.f("ix_job_matches_match_id"), "job_matches", ["match_id"])


def downgrade() -> None:
    op.drop_table("job_matches")
