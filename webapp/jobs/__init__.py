"""Long work, as a fold of short pure tasks: rows, the coordinator, where tasks run."""
