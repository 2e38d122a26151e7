"""What all Python tests share: running the program, asking it, looking at its process, and waiting for a condition."""
