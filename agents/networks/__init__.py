"""Neural networks that learn by playing themselves, and their relatives."""
