"""Set cover: by hand on a board, by the machines, and one of them step by step."""
