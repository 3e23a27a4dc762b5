"""What does this lesson need? One module for each lesson: `data(seed)`, `EXERCISES`, `PANELS`."""
