"""Boards for pages of other sites, which the owner of the server allows."""
