"""The lab: training, brains and the arena."""
