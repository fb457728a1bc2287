"""What the core reads without: cost, plans against a stack, looks at a cluster."""
