"""Background jobs as folds of pure tasks: stores, coordinator, executors, kinds."""
