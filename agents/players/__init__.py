"""Players from outside: files, commands and UGI engines, each in a process of its own."""
