"""Files of other tools: what is read of them, what is said of them, and the descriptions that they become."""
