"""The HTTP API: what its routes share (tokens, JSON, rate limits in headers), its description,
and the routes that belong to no feature: games, agents, analyses.

It knows no feature: the other routes stand with the features they belong to.
"""
