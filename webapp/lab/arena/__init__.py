"""The arena: machines against each other, who is better, and how sure that is."""
