"""The blueprint: everything that a description comes to, derived once, complete, and pure data."""
