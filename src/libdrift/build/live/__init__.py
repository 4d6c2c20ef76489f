"""Tasks from releases, without a model: drafted from documentation's examples, proven by running.

``evidence`` is what was seen of two releases. Each family drafts tasks from it, ``gates`` prove or
drop them, and ``manifests`` tell what is needed to make exactly the same ones again.
"""
