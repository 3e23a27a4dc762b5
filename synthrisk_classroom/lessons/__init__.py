"""What does this lesson ask? One module each: `TITLE`, `data(seed)` and its exercises."""
