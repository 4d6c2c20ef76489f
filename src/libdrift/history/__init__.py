"""How APIs change.

``store`` keeps mined releases, ``differences`` compares two of them, ``questions`` answers from
the store. The modules beside them are what all three know: versions, spellings, views of a surface.
"""
