"""Claims of lesson 06."""
