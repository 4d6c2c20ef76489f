"""What a person reads. Each module is imported by itself: some take long."""
