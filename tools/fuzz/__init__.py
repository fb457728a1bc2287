"""Gives every reader of users' files what nobody meant to write (`docs/hostile-input.md`)."""
