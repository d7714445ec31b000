"""Puzzles that do not ship, how visitors fared with them, and each player's progress."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "puzzles",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("origin", sa.String(length=8), nullable=False),
        sa.Column("game", sa.String(length=200), nullable=False),
        sa.Column("theme", sa.String(length=40), nullable=False),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzles")),
    )
    op.create_index(op.f("ix_puzzles_made"), "puzzles", ["made"])
    op.create_index(op.f("ix_puzzles_origin_game_level"), "puzzles", ["origin", "game", "level"])
    op.create_table(
        "puzzle_scores",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzle_scores")),
    )
    op.create_table(
        "puzzle_players",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("sprint_ends", sa.BigInteger(), nullable=False),
        sa.Column("sprint_solved", sa.Integer(), nullable=False),
        sa.Column("sprint_missed", sa.Integer(), nullable=False),
        sa.Column("sprint_best", sa.Integer(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzle_players")),
    )
    op.create_index(op.f("ix_puzzle_players_updated"), "puzzle_players", ["updated"])
    op.create_table(
        "puzzle_tries",
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("puzzle", sa.String(length=16), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("move", sa.String(length=16), nullable=True),
        sa.Column("first", sa.Boolean(), nullable=True),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("hinted", sa.Boolean(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.Column("own", sa.Boolean(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=True),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("repeats", sa.SmallInteger(), nullable=False),
        sa.Column("answered", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["puzzle_players.id"],
            name=op.f("fk_puzzle_tries_player_id_puzzle_players"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("player_id", "puzzle", name=op.f("pk_puzzle_tries")),
    )
    op.create_index(
        op.f("ix_puzzle_tries_player_id_answered"), "puzzle_tries", ["player_id", "answered"]
    )
    op.create_index(op.f("ix_puzzle_tries_player_id_due"), "puzzle_tries", ["player_id", "due"])


def downgrade() -> None:
    op.drop_table("puzzle_tries")
    op.drop_table("puzzle_players")
    op.drop_table("puzzle_scores")
    op.drop_table("puzzles")
