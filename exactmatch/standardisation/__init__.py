"""Notations of one meaning, brought to one: reified roles, coordinations, constants, senses."""
