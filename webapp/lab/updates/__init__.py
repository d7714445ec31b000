"""One game of a Q-learner's training, update by update."""
