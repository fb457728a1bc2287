"""The blueprint: everything that follows from a description, derived once, complete, and pure data."""
