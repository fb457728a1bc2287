"""Plans, states and previews that the Pulumi engine saved of any program."""
