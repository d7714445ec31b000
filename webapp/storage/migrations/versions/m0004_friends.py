"""Friends on other devices: invitations, offers, presence; and how a match ended, for lists."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0006"
branch_labels = None
depends_on = None

COLUMNS = (
    ("invitation", sa.String(32)),
    ("offer", sa.String(16)),
    ("followed_by", sa.String(32)),
    ("first_seen", sa.BigInteger),
    ("second_seen", sa.BigInteger),
    ("result", sa.SmallInteger),
)
HELD = ("first_holder", "second_holder")


def upgrade() -> None:
    for name, kind in COLUMNS:
        op.add_column("matches", sa.Column(name, kind))
    op.create_index("ix_matches_invitation", "matches", ["invitation"], unique=True)
    for holder in HELD:
        op.create_index(f"ix_matches_{holder}_updated", "matches", [holder, "updated"])


def downgrade() -> None:
    for holder in HELD:
        op.drop_index(f"ix_matches_{holder}_updated", "matches")
    op.drop_index("ix_matches_invitation", "matches")
    for name, _ in COLUMNS:
        op.drop_column("matches", name)
