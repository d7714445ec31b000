"""A class: one laptop, one projector, and the phones of those who predict, vote and see."""
