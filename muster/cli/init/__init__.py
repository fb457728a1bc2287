"""Making a new stack's file (`muster init`): the choices, what AWS answers about the account, and the YAML text."""
