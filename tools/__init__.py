"""What the Makefile runs."""
