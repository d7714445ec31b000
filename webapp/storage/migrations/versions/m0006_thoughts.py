"""How often each seat of a game of an arena thought: seconds per move are seconds by these."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("job_games", sa.Column("first_thoughts", sa.Integer))
    op.add_column("job_games", sa.Column("second_thoughts", sa.Integer))


def downgrade() -> None:
    op.drop_column("job_games", "second_thoughts")
    op.drop_column("job_games", "first_thoughts")
