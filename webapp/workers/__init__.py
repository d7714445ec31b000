"""Worker processes that answer requests within a deadline: the pool, its queue, warm-up."""
