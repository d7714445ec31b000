"""HTTP, shared by all pages: htmx, errors, security, cookies, rate limits, forms, health."""
