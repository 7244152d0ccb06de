"""When work has to stop: deadlines and interrupts."""
