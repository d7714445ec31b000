"""Tokens of people, with which their scripts use the API."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "person_tokens",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person_tokens")),
    )
    op.create_index(op.f("ix_person_tokens_hash"), "person_tokens", ["hash"], unique=True)
    op.create_index(op.f("ix_person_tokens_owner_created"), "person_tokens", ["owner", "created"])
    op.create_index(op.f("ix_person_tokens_used"), "person_tokens", ["used"])


def downgrade() -> None:
    op.drop_table("person_tokens")
