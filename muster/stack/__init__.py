"""Stack files: the description, the facts and the other stacks of one cluster, read together."""
