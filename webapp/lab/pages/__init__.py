"""The lab's addresses."""
