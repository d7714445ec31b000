"""The Quixo engine: bit boards, a search in compiled code, and what it learned of lines."""
