"""Classes: their seats, the rounds that are asked, and every answer."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0004"
branch_labels = None
depends_on = None


def _of_a_class(table: str) -> tuple[sa.Column[str], sa.ForeignKeyConstraint]:
    return (
        sa.Column("class_id", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(
            ["class_id"], ["classes.id"], f"fk_{table}_class_id_classes", ondelete="CASCADE"
        ),
    )


def upgrade() -> None:
    op.create_table(
        "classes",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("second", sa.String(32)),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("code", sa.String(8)),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("scene", sa.String(10), nullable=False),
        sa.Column("names", sa.Boolean, nullable=False),
        sa.Column("address", sa.String(200)),
        sa.Column("match_id", sa.String(32)),
        sa.Column("pace", sa.Integer),
        sa.Column("cup", sa.Text),
        sa.Column("lesson", sa.Text),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("ends", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_classes"),
    )
    op.create_index("ix_classes_code", "classes", ["code"], unique=True)
    op.create_index("ix_classes_owner_created", "classes", ["owner", "created"])
    op.create_index("ix_classes_second_created", "classes", ["second", "created"])
    op.create_index("ix_classes_ends", "classes", ["ends"])
    op.create_table(
        "class_seats",
        *_of_a_class("class_seats"),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("player", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("joined", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False),
        sa.Column("machine", sa.String(500)),
        sa.PrimaryKeyConstraint("class_id", "number", name="pk_class_seats"),
        sa.UniqueConstraint("class_id", "player", name="uq_class_seats_class_id_player"),
        sa.UniqueConstraint("class_id", "name", name="uq_class_seats_class_id_name"),
    )
    op.create_table(
        "class_rounds",
        *_of_a_class("class_rounds"),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("game", sa.String(500), nullable=False),
        sa.Column("start", sa.String(500)),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("prompt", sa.String(300), nullable=False),
        sa.Column("choices", sa.Text),
        sa.Column("truth", sa.String(120)),
        sa.Column("machine", sa.String(500)),
        sa.Column("seconds", sa.Integer),
        sa.Column("match_ply", sa.Integer),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("vote", sa.SmallInteger, nullable=False),
        sa.Column("deadline", sa.Double),
        sa.Column("ruling", sa.Text),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("class_id", "number", name="pk_class_rounds"),
    )
    op.create_table(
        "class_answers",
        *_of_a_class("class_answers"),
        sa.Column("round", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("vote", sa.SmallInteger, nullable=False, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("answer", sa.String(100), nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False),
        sa.Column("given", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("class_id", "round", "vote", "seat", name="pk_class_answers"),
    )


def downgrade() -> None:
    for table in ("class_answers", "class_rounds", "class_seats", "classes"):
        op.drop_table(table)
