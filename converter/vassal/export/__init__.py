"""A scenario folder becomes a module that the real VASSAL opens (docs/building-modules.md)."""
