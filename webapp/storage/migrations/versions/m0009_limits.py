"""What limits count by: where a job comes from, when an owner came back, a match's digest.

Brains are added up by an index, and a class can be locked.
"""

from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("origin", sa.String(length=32), nullable=True))
    op.add_column("brains", sa.Column("seen", sa.Double(), nullable=True))
    op.execute("update brains set seen = created")
    op.create_index(op.f("ix_brains_seen"), "brains", ["seen"], unique=False)
    op.create_index(op.f("ix_brain_files_size"), "brain_files", ["size"], unique=False)
    op.add_column(
        "classes", sa.Column("locked", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("matches", sa.Column("digest", sa.String(length=32), nullable=True))
    _digest_matches(op.get_bind())
    op.create_index(op.f("ix_matches_digest"), "matches", ["digest"], unique=False)


def _digest_matches(connection: sa.Connection) -> None:
    """As `webapp.matches.store.digest_of` does."""
    found = connection.execute(
        sa.text("select id, created, game, first, second, start, resigned from matches")
    )
    moves = sa.text("select text from moves where match_id = :id order by ply")
    keep = sa.text("update matches set digest = :digest where id = :id")
    for match_id, *parts in found.fetchall():
        texts = [text for (text,) in connection.execute(moves, {"id": match_id})]
        told = repr((*parts, " ".join(texts)))
        digest = sha256(told.encode()).hexdigest()[:32]
        connection.execute(keep, {"id": match_id, "digest": digest})


def downgrade() -> None:
    raise NotImplementedError("older versions are not gone back to: restore a backup")
