"""Agents think in processes of their own: questions, the pool, workers, warming up."""
