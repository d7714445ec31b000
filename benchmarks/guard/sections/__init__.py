"""The parts of the tour. Each begins with an empty database and is recorded in a directory."""
