"""Muster's components for programs in other languages: a plugin that the engine runs."""
