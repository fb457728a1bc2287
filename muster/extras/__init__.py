"""Parts that the core does not need: cost, comparison with a git ref, verification of a cluster."""
