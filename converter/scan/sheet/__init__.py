"""A scanned counter sheet: found, cut, paired, named (docs/counters.md)."""
