"""Why a job that is held does not go on: for its page, which knows nothing of a cluster."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("hindrance", sa.String(200)))


def downgrade() -> None:
    op.drop_column("jobs", "hindrance")
