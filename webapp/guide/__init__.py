"""The guide: rules of each game, keyboard shortcuts, glossary."""
