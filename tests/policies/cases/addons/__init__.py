"""Add-ons that do not go together, or not with their nodes: descriptions with one thing wrong each."""
