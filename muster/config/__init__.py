"""A stack file: its YAML with positions, the models of its description, validation, and the stacks linked to it."""
