"""The database: connections, tables, migrations. Queries are in the stores of the features."""
