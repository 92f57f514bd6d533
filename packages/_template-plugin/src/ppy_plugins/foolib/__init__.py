"""The model of foolib for PPY."""
