"""Examples of a release's documentation edited for another one, so that replacements are tried."""

from __future__ import annotations

from libdrift.advisor.migrating import CodeMigrator
from libdrift.advisor.releases import ReleasePair
from libdrift.mining.examples.replacing import (
    ExampleRewriter,
    FollowedReplacement,
    RewrittenExample,
)
from libdrift.records import FindingLevel, Surface


def rewriter(old: Surface, new: Surface) -> ExampleRewriter:
    """Edits as ``migrate --risky`` does: what is only likely is what a trial is for."""
    migrator = CodeMigrator([ReleasePair(old, new)], is_risky=True)

    def rewritten(code: str) -> RewrittenExample | None:
        done = migrator.migrated(code)
        if not done.is_changed:
            return None
        followed = dict.fromkeys(
            FollowedReplacement(item.symbol, item.parameter, item.how.path)
            for item in done.applied
            if item.how is not None
        )
        is_whole = all(item.finding.level is not FindingLevel.ERROR for item in done.left)
        return RewrittenExample(done.after, tuple(followed), is_whole)

    return rewritten
