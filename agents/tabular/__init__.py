"""Small games as arrays: states, edges, exact figures, policies."""
