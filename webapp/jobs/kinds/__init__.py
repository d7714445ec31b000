"""Every kind of job: which tasks come next, and what a result amounts to."""
