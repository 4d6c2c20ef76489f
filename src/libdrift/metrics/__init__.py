"""Pure functions from outcomes to numbers, one small module per family."""
