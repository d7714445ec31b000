"""Being a server: sockets, names on the network, the key, browser files."""
