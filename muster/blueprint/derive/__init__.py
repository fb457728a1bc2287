"""From a stack file's description to a blueprint."""
