"""One module for each topic of a preflight."""
