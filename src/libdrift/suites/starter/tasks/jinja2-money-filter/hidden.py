import pytest
from answer import make_env


@pytest.mark.parametrize(
    ("amount", "currency", "expected"),
    [(12.5, "CHF", "12.50 CHF"), (0, "JPY", "0.00 JPY"), (-1.239, "GBP", "-1.24 GBP")],
)
def test_currency_from_the_render_call(amount, currency, expected):
    template = make_env().from_string("{{ amount|money }}")
    assert template.render(amount=amount, currency=currency) == expected


def test_currency_set_in_the_template():
    template = make_env().from_string("{% set currency = 'SEK' %}{{ 7|money }}")
    assert template.render() == "7.00 SEK"
    assert template.render(currency="USD") == "7.00 SEK"


def test_one_environment_many_templates():
    env = make_env()
    line = env.from_string("{{ rows|map('money')|join('; ') }}")
    assert line.render(rows=[1, 2], currency="NOK") == "1.00 NOK; 2.00 NOK"
    assert line.render(rows=[3]) == "3.00 EUR"
