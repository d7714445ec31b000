"""Matches and their moves."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("game", sa.String(500), nullable=False),
        sa.Column("first", sa.String(500), nullable=False),
        sa.Column("second", sa.String(500), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("resigned", sa.SmallInteger),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_index("ix_matches_owner_over_updated", "matches", ["owner", "over", "updated"])
    op.create_table(
        "moves",
        sa.Column("match_id", sa.String(32), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("text", sa.String(16), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("note", sa.String(300)),
        sa.PrimaryKeyConstraint("match_id", "ply", name="pk_moves"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_moves_match_id_matches", ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    op.drop_table("moves")
    op.drop_table("matches")
