"""Versions of Lustre, and who mounts them."""
