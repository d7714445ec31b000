"""The database: connections, tables, migrations. What is asked of it stands in the rooms."""
