"""Runs migrations on the connection given by `webapp.storage.database`, in its transaction."""

from alembic import context

from webapp.storage.tables.base import Model

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Model.metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
