"""What a person reads: tables, lines, figures and pages. Each module is imported by itself: some take long."""
