"""Claims of lesson 09."""
