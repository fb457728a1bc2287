"""The reference jobs."""
