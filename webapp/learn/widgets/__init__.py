"""What moves in a lesson: each widget a module, named in the texts."""
