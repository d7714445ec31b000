"""Ten lessons that ask before they tell: texts, what they compute, and the boards in them."""
