"""The commands of the web app."""
