"""Claims of lesson 10."""
