"""Leagues of bots, and their games."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("bots") as bots:
        bots.add_column(sa.Column("league_id", sa.String(length=32), nullable=True))
    op.create_index(op.f("ix_bots_league_id"), "bots", ["league_id"])
    op.create_table(
        "leagues",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("game", sa.String(length=200), nullable=False),
        sa.Column("move_s", sa.Double(), nullable=False),
        sa.Column("bank_s", sa.Double(), nullable=False),
        sa.Column("code", sa.String(length=12), nullable=False),
        sa.Column("begins", sa.BigInteger(), nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leagues")),
        sa.UniqueConstraint("code", name=op.f("uq_leagues_code")),
    )
    op.create_index(op.f("ix_leagues_ends"), "leagues", ["ends"])
    op.create_table(
        "league_games",
        sa.Column("league_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first", sa.String(length=300), nullable=False),
        sa.Column("second", sa.String(length=300), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("begun", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.Column("winner", sa.SmallInteger(), nullable=True),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("fault", sa.String(length=300), nullable=True),
        sa.Column("first_blunders", sa.SmallInteger(), nullable=True),
        sa.Column("second_blunders", sa.SmallInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["league_id"],
            ["leagues.id"],
            name=op.f("fk_league_games_league_id_leagues"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("league_id", "number", name=op.f("pk_league_games")),
    )
    op.create_index(op.f("ix_league_games_league_id_ended"), "league_games", ["league_id", "ended"])


def downgrade() -> None:
    op.drop_table("league_games")
    op.drop_table("leagues")
    with op.batch_alter_table("bots") as bots:
        bots.drop_index(op.f("ix_bots_league_id"))
        bots.drop_column("league_id")
