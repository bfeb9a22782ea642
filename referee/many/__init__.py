"""Thousands of logs: folders and archives of them, put together into games, judged side by side, kept for queries."""
