"""Fuzzes every reader of users' files with broken and hostile input (`docs/contributing/hostile-input.md`)."""
