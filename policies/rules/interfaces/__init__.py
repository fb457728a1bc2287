"""Network interfaces and EFA."""
