"""Settings for every test."""

from hypothesis import HealthCheck, settings

# Time is measured in benchmarks, never in a test: the machines are shared and noisy.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
