"""Laws of what a cluster costs, and the costs of the reference stacks."""
