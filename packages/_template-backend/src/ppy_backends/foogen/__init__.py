"""The backend foogen for PPY."""
