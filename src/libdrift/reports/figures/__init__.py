"""Figures: what is drawn (charts), how it looks (style, drawing), and where it is put (files)."""
