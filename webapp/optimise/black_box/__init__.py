"""The black box: asked by hand, searched in the lab, opened at last."""
