"""The pages: views that read a request, ask a room, and render."""
