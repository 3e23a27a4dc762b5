"""Claims of lesson 03."""
