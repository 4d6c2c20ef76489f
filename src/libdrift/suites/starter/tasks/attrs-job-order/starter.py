import attr


def make_job_class() -> type:
    """Return the attrs class Job, which is compared by priority alone."""
    ...
