"""What acts do to the table, a file a subject."""
