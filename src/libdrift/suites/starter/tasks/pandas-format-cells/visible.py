_prices = pd.DataFrame({"net": [1.5, 2.0], "gross": [1.785, 2.38]})
assert format_cells(_prices, 1)["net"].tolist() == ["1.5", "2.0"]
