"""Creates the file of a new stack (`muster init`): its capacity from AWS or options, and a template per backend."""
