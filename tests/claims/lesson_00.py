"""Claims of lesson 00."""
