"""`muster plan --against`: two plans compared."""
