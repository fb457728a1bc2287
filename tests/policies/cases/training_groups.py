"""Groups for training on types without accelerators and without EFA."""
