"""The baseline: every table as of the revision that databases in use have."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "brain_files",
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_brain_files")),
    )
    op.create_table(
        "brains",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("agent", sa.String(length=60), nullable=False),
        sa.Column("game", sa.String(length=500), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_brains")),
        sa.UniqueConstraint("owner", "digest", name=op.f("uq_brains_owner_digest")),
    )
    op.create_index(op.f("ix_brains_digest"), "brains", ["digest"], unique=False)
    op.create_table(
        "classes",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("second", sa.String(length=32), nullable=True),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("code", sa.String(length=8), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("scene", sa.String(length=10), nullable=False),
        sa.Column("names", sa.Boolean(), nullable=False),
        sa.Column("address", sa.String(length=200), nullable=True),
        sa.Column("match_id", sa.String(length=32), nullable=True),
        sa.Column("pace", sa.Integer(), nullable=True),
        sa.Column("cup", sa.Text(), nullable=True),
        sa.Column("lesson", sa.Text(), nullable=True),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_classes")),
    )
    op.create_index(op.f("ix_classes_code"), "classes", ["code"], unique=True)
    op.create_index(op.f("ix_classes_ends"), "classes", ["ends"], unique=False)
    op.create_index(op.f("ix_classes_owner_created"), "classes", ["owner", "created"], unique=False)
    op.create_index(
        op.f("ix_classes_second_created"), "classes", ["second", "created"], unique=False
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("step", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("metrics", sa.Text(), nullable=False),
        sa.Column("pace", sa.Double(), nullable=True),
        sa.Column("error", sa.String(length=500), nullable=True),
        sa.Column("hindrance", sa.String(length=200), nullable=True),
        sa.Column("cancel", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("updated", sa.Double(), nullable=False),
        sa.Column("begun", sa.Double(), nullable=True),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.Column("holder", sa.String(length=32), nullable=True),
        sa.Column("until", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index(op.f("ix_jobs_owner_created"), "jobs", ["owner", "created"], unique=False)
    op.create_index(op.f("ix_jobs_state_created"), "jobs", ["state", "created"], unique=False)
    op.create_table(
        "matches",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=500), nullable=False),
        sa.Column("first", sa.String(length=500), nullable=False),
        sa.Column("second", sa.String(length=500), nullable=False),
        sa.Column("first_holder", sa.String(length=32), nullable=True),
        sa.Column("second_holder", sa.String(length=32), nullable=True),
        sa.Column("start", sa.String(length=500), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("resigned", sa.SmallInteger(), nullable=True),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("result", sa.SmallInteger(), nullable=True),
        sa.Column("invitation", sa.String(length=32), nullable=True),
        sa.Column("offer", sa.String(length=16), nullable=True),
        sa.Column("followed_by", sa.String(length=32), nullable=True),
        sa.Column("first_seen", sa.BigInteger(), nullable=True),
        sa.Column("second_seen", sa.BigInteger(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
    )
    op.create_index(
        op.f("ix_matches_first_holder_updated"),
        "matches",
        ["first_holder", "updated"],
        unique=False,
    )
    op.create_index(op.f("ix_matches_invitation"), "matches", ["invitation"], unique=True)
    op.create_index(
        op.f("ix_matches_owner_over_updated"), "matches", ["owner", "over", "updated"], unique=False
    )
    op.create_index(
        op.f("ix_matches_second_holder_updated"),
        "matches",
        ["second_holder", "updated"],
        unique=False,
    )
    op.create_table(
        "analyses",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
            name=op.f("fk_analyses_match_id_matches"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("match_id", "ply", name=op.f("pk_analyses")),
    )
    op.create_table(
        "class_answers",
        sa.Column("class_id", sa.String(length=32), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("vote", sa.SmallInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(length=100), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("given", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["class_id"],
            ["classes.id"],
            name=op.f("fk_class_answers_class_id_classes"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("class_id", "round", "vote", "seat", name=op.f("pk_class_answers")),
    )
    op.create_table(
        "class_rounds",
        sa.Column("class_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=500), nullable=False),
        sa.Column("start", sa.String(length=500), nullable=True),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("prompt", sa.String(length=300), nullable=False),
        sa.Column("choices", sa.Text(), nullable=True),
        sa.Column("truth", sa.String(length=120), nullable=True),
        sa.Column("machine", sa.String(length=500), nullable=True),
        sa.Column("seconds", sa.Integer(), nullable=True),
        sa.Column("match_ply", sa.Integer(), nullable=True),
        sa.Column("phase", sa.String(length=10), nullable=False),
        sa.Column("vote", sa.SmallInteger(), nullable=False),
        sa.Column("deadline", sa.Double(), nullable=True),
        sa.Column("ruling", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["class_id"],
            ["classes.id"],
            name=op.f("fk_class_rounds_class_id_classes"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("class_id", "number", name=op.f("pk_class_rounds")),
    )
    op.create_table(
        "class_seats",
        sa.Column("class_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("joined", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("machine", sa.String(length=500), nullable=True),
        sa.ForeignKeyConstraint(
            ["class_id"],
            ["classes.id"],
            name=op.f("fk_class_seats_class_id_classes"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("class_id", "number", name=op.f("pk_class_seats")),
        sa.UniqueConstraint("class_id", "name", name=op.f("uq_class_seats_class_id_name")),
        sa.UniqueConstraint("class_id", "player", name=op.f("uq_class_seats_class_id_player")),
    )
    op.create_table(
        "job_games",
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("pair", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("winner", sa.SmallInteger(), nullable=True),
        sa.Column("ending", sa.String(length=20), nullable=False),
        sa.Column("fault", sa.String(length=300), nullable=True),
        sa.Column("first_seconds", sa.Double(), nullable=True),
        sa.Column("second_seconds", sa.Double(), nullable=True),
        sa.Column("first_thoughts", sa.Integer(), nullable=True),
        sa.Column("second_thoughts", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_job_games_job_id_jobs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("job_id", "pair", "round", name=op.f("pk_job_games")),
    )
    op.create_table(
        "job_lanes",
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("lane", sa.Integer(), nullable=False),
        sa.Column("step", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_job_lanes_job_id_jobs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("job_id", "lane", name=op.f("pk_job_lanes")),
    )
    op.create_table(
        "job_points",
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("lane", sa.Integer(), nullable=False),
        sa.Column("step", sa.BigInteger(), nullable=False),
        sa.Column("metrics", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_job_points_job_id_jobs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("job_id", "lane", "step", name=op.f("pk_job_points")),
    )
    op.create_index(op.f("ix_job_points_digest"), "job_points", ["digest"], unique=False)
    op.create_table(
        "moves",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=16), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("note", sa.String(length=300), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_moves_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "ply", name=op.f("pk_moves")),
    )


def downgrade() -> None:
    raise NotImplementedError("there is nothing before the baseline")
