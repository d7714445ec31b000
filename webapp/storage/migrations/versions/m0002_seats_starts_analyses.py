"""Seats are held by players, a match may begin anywhere, and keeps what its agents said."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, length in (("first_holder", 32), ("second_holder", 32), ("start", 500)):
        op.add_column("matches", sa.Column(name, sa.String(length)))
    # Until now whoever began a match sat on every seat that no agent had.
    op.execute("update matches set first_holder = owner where first = 'person'")
    op.execute("update matches set second_holder = owner where second = 'person'")
    op.create_table(
        "analyses",
        sa.Column("match_id", sa.String(32), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("packed", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "ply", name="pk_analyses"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_analyses_match_id_matches", ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    op.drop_table("analyses")
    for name in ("first_holder", "second_holder", "start"):
        op.drop_column("matches", name)
