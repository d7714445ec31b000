"""Questions for people with computed truths, and plans of classes."""
