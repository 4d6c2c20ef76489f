from jinja2 import Environment, pass_context


@pass_context
def money(context, amount: float) -> str:
    return f"{amount:.2f} {context.get('currency', 'EUR')}"


def make_env() -> Environment:
    """Return an environment with the filter money."""
    env = Environment()
    env.filters["money"] = money
    return env
