"""One command a file. Agents are imported inside the commands, so that `--help` stays quick."""
