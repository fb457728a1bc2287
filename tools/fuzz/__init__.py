"""Fuzzes every reader of users' files with broken and hostile input (`docs/hostile-input.md`)."""
