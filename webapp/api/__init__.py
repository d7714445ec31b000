"""What every route of the API shares: bearer tokens, JSON in and out, rate limits in headers.

It knows no feature: the routes stand with the features they belong to.
"""
