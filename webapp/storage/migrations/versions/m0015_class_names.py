"""Rounds of a class with names, made-up names kept, and what a class shows on its screen."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("classes") as classes:
        classes.add_column(
            sa.Column("label", sa.String(length=8), server_default="", nullable=False)
        )
        classes.add_column(sa.Column("plan_begun", sa.BigInteger(), nullable=True))
        classes.add_column(sa.Column("shown", sa.Text(), nullable=True))
    op.execute("UPDATE classes SET label = code WHERE code IS NOT NULL")
    with op.batch_alter_table("class_seats") as seats:
        seats.add_column(
            sa.Column("alias", sa.String(length=40), server_default="", nullable=False)
        )
    # Where names were on, a name may be a student's own: phones had promised that nobody sees it.
    op.execute(
        "UPDATE class_seats SET alias = CASE WHEN class_id IN "
        "(SELECT id FROM classes WHERE names) THEN 'Student ' || number ELSE name END"
    )
    with op.batch_alter_table("class_rounds") as rounds:
        rounds.add_column(sa.Column("match_id", sa.String(length=32), nullable=True))
        rounds.add_column(
            sa.Column("named", sa.Boolean(), server_default=sa.false(), nullable=False)
        )


def downgrade() -> None:
    with op.batch_alter_table("class_rounds") as rounds:
        rounds.drop_column("named")
        rounds.drop_column("match_id")
    with op.batch_alter_table("class_seats") as seats:
        seats.drop_column("alias")
    with op.batch_alter_table("classes") as classes:
        classes.drop_column("shown")
        classes.drop_column("plan_begun")
        classes.drop_column("label")
