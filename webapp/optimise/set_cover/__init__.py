"""Set cover: solved by hand on a board and by searches."""
