"""The pure core: laws of its algebra, texts of its messages."""
