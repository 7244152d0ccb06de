"""Deadlines and interrupts, which stop work."""
