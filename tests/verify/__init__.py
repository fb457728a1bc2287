"""`muster verify` against simulated API servers."""
