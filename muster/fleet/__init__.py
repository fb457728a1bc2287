"""The types that rules judge: a program's registered resources, and the facts that AWS states."""
