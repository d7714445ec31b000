"""Questions for people, and their truths: computed, never typed in."""
