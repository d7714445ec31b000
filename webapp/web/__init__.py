"""What every page shares of the web: htmx, errors, safety, who asks and how often."""
