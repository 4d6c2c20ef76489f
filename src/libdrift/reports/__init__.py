"""What a person reads: tables and lines. Each module is imported by itself: some take long."""
