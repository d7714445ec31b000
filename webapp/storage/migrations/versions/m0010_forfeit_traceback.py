"""A forfeit of an arena keeps the traceback of the agent that failed."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("job_games", sa.Column("traceback", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("job_games", "traceback")
