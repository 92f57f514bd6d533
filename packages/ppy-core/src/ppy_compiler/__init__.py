"""The PPY compiler. Its packages are the floors of the house; each imports from floors below it only."""
