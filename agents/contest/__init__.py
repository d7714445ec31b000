"""Arena, ratings, measured strength and exports."""
