"""The lab: train a learner and watch it get better, keep its brain, let machines compete."""
