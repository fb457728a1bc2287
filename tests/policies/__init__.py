"""The rules: each on whole fleets, on descriptions broken in one way, and on foreign programs."""
