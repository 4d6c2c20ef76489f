assert make_env().from_string("{{ 5|money }}").render(currency="USD") == "5.00 USD"
assert make_env().from_string("{{ 5|money }}").render() == "5.00 EUR"
