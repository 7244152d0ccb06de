"""What is raised where there is no proof."""


class Undecided(Exception):  # noqa: N818
    """What holds of all best mappings cannot be said within the limits."""
