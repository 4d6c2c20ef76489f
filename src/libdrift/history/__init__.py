"""How APIs change: the store, mining, differences, lives of symbols."""
