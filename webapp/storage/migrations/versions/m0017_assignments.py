"""Assignments: their students, the browsers they work in, and what they have tried."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "assignments",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("second", sa.String(length=32), nullable=True),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("code", sa.String(length=8), nullable=False),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("about", sa.String(length=500), nullable=False),
        sa.Column("tasks", sa.Text(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        sa.UniqueConstraint("code", name=op.f("uq_assignments_code")),
    )
    op.create_index(op.f("ix_assignments_owner_created"), "assignments", ["owner", "created"])
    op.create_index(op.f("ix_assignments_second"), "assignments", ["second"])
    op.create_index(op.f("ix_assignments_ends"), "assignments", ["ends"])
    op.create_table(
        "assignment_seats",
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("folded", sa.String(length=120), nullable=False),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("joined", sa.BigInteger(), nullable=True),
        _of_assignment("assignment_seats"),
        sa.PrimaryKeyConstraint("assignment_id", "number", name=op.f("pk_assignment_seats")),
        sa.UniqueConstraint(
            "assignment_id", "folded", name=op.f("uq_assignment_seats_assignment_id_folded")
        ),
        sa.UniqueConstraint("key", name=op.f("uq_assignment_seats_key")),
    )
    op.create_table(
        "assignment_devices",
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        _of_assignment("assignment_devices"),
        sa.PrimaryKeyConstraint("assignment_id", "player", name=op.f("pk_assignment_devices")),
    )
    op.create_table(
        "assignment_tries",
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("task", sa.SmallInteger(), nullable=False),
        sa.Column("item", sa.String(length=32), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("answer", sa.String(length=100), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=True),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("given", sa.BigInteger(), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=True),
        _of_assignment("assignment_tries"),
        sa.PrimaryKeyConstraint(
            "assignment_id", "seat", "task", "item", "number", name=op.f("pk_assignment_tries")
        ),
    )
    op.create_index(op.f("ix_assignment_tries_match_id"), "assignment_tries", ["match_id"])


def _of_assignment(table: str) -> sa.ForeignKeyConstraint:
    """A row goes with its assignment."""
    name = op.f(f"fk_{table}_assignment_id_assignments")
    return sa.ForeignKeyConstraint(
        ["assignment_id"], ["assignments.id"], name=name, ondelete="CASCADE"
    )


def downgrade() -> None:
    for table in ("assignment_tries", "assignment_devices", "assignment_seats", "assignments"):
        op.drop_table(table)
