"""A scenario folder becomes a module that the real VASSAL opens (docs/building-modules.md)."""

from converter.vassal.export.plan import build_module

__all__ = ["build_module"]
