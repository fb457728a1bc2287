"""Creates a new stack file (`muster init`): the choices, AWS's answers about the account, and the YAML text."""
