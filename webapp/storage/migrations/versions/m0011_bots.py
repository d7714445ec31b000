"""Bots over HTTP: who they are, their tokens, clocks and logs; why a match was lost."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("fault", sa.String(length=300), nullable=True))
    op.add_column(
        "matches", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_table(
        "bots",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=True),
        sa.Column("claim", sa.String(length=64), nullable=False),
        sa.Column("class_id", sa.String(length=32), nullable=True),
        sa.Column("plays", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
    )
    op.create_index(op.f("ix_bots_owner_created"), "bots", ["owner", "created"])
    op.create_index(op.f("ix_bots_until"), "bots", ["until"])
    op.create_table(
        "bot_tokens",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("bot_id", sa.String(length=32), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        _of_bot("bot_tokens"),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_bot_tokens")),
    )
    op.create_index(op.f("ix_bot_tokens_bot_id"), "bot_tokens", ["bot_id"])
    op.create_table(
        "bot_games",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("bot_id", sa.String(length=32), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("move_s", sa.Double(), nullable=True),
        sa.Column("bank_s", sa.Double(), nullable=False),
        sa.Column("left", sa.Double(), nullable=False),
        sa.Column("lives", sa.SmallInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=True),
        sa.Column("handed", sa.Double(), nullable=True),
        sa.Column("deadline", sa.Double(), nullable=True),
        sa.Column("took", sa.Double(), nullable=True),
        sa.Column("error", sa.String(length=300), nullable=True),
        sa.Column("log_chars", sa.Integer(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        _of_match("bot_games"),
        _of_bot("bot_games"),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_bot_games")),
    )
    op.create_index(
        op.f("ix_bot_games_bot_id_open_created"), "bot_games", ["bot_id", "open", "created"]
    )
    op.create_index(op.f("ix_bot_games_open_deadline"), "bot_games", ["open", "deadline"])
    op.create_table(
        "bot_turns",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.String(length=32), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("took", sa.Double(), nullable=True),
        sa.Column("log", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        _of_match("bot_turns"),
        _of_bot("bot_turns"),
        sa.PrimaryKeyConstraint("match_id", "ply", name=op.f("pk_bot_turns")),
    )
    op.create_index(op.f("ix_bot_turns_bot_id_at"), "bot_turns", ["bot_id", "at"])


def _of_bot(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_bot_id_bots")
    return sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=name, ondelete="CASCADE")


def _of_match(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_match_id_matches")
    return sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=name, ondelete="CASCADE")


def downgrade() -> None:
    for table in ("bot_turns", "bot_games", "bot_tokens", "bots"):
        op.drop_table(table)
    op.drop_column("matches", "rated")
    op.drop_column("matches", "fault")
