"""Which nodes take a pod."""
