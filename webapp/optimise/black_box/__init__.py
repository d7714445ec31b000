"""Black boxes: bit strings with an unknown value, asked by hand and searched."""
