"""What rules judge: resources as a program registers them, and the facts that AWS states."""
