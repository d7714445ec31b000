"""Brains that come with the package; `zermelo train --shipped` rebuilds them."""
