"""The HTTP server: sockets and their limits, host names, logs, browser files."""
