"""From registered resources to what rules judge."""
