_pets = tally(pd.DataFrame({"pet": ["cat", "dog", "cat"]}), "pet")
assert list(_pets.columns) == ["value", "count"]
assert _pets.values.tolist() == [["cat", 2], ["dog", 1]]
