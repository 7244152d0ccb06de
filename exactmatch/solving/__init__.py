"""Solving a matching problem: presolve, strategy, and limits of time and memory."""
