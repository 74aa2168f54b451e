/** The followers of each commit in their order, and what may be missing if one of them fails. */
import type { Sources } from '../bus/index.ts'
import type { Approvals } from '../decisions/approvals/approvals.ts'
import type { Budgets } from '../decisions/budgets/service.ts'
import type { Collisions } from '../decisions/collisions/service.ts'
import type { Decisions } from '../decisions/decisions.ts'
import type { Loops } from '../decisions/loops.ts'
import { type HookEvent, isImported } from '../events/index.ts'
import type { Search } from '../insight/search/search.ts'
import type { Insight } from '../insight/service.ts'
import type { Feed } from '../journal/feed.ts'
import type { CommitFollower } from '../journal/followers.ts'
import type { Notifier } from '../notify/index.ts'
import type { Otlp } from '../otlp/service.ts'
import type { SessionFeed } from '../sessions/feed.ts'
import type { Grace } from '../sessions/grace.ts'
import type { Observers } from '../sessions/observers/index.ts'
import { type Change, setBackBy } from '../sessions/state/index.ts'
import type { TmuxDisplay } from '../tmux/display.ts'
import type { Work } from '../work/service.ts'
import type { Background } from './background/background.ts'
import type { Housekeeping } from './housekeeping.ts'
import type { MetricCosts } from './metrics/costs.ts'
import type { MetricsRecorder } from './metrics/recorder.ts'

export interface FollowerParts {
  readonly insight: Insight
  readonly housekeeping: Housekeeping
  readonly feed: Feed
  readonly sessionFeed: SessionFeed
  readonly tellHosts: (changes: readonly Change[]) => void
  readonly display: TmuxDisplay
  readonly notifier: Notifier
  readonly approvals: Approvals
  readonly sources: Sources
  readonly decisions: Decisions
  readonly collisions: Collisions
  readonly observers: Observers
  readonly grace: Grace
  readonly work: Work
  readonly background: Background
  readonly search: Search
  readonly budgets: Budgets
  readonly loops: Loops
  readonly metrics: MetricsRecorder
  readonly metricCosts: MetricCosts
  readonly otlp: Otlp
  /** For followers that compare session times: the clock was set back. */
  readonly setBack: (byMs: number) => void
}

export function allFollowers(parts: FollowerParts): CommitFollower[] {
  const { insight, housekeeping, feed, sessionFeed, tellHosts, display, notifier, approvals } = parts
  const {
    sources,
    decisions,
    collisions,
    observers,
    grace,
    work,
    background,
    search,
    budgets,
    loops,
    setBack,
  } = parts
  const { metrics, metricCosts, otlp } = parts
  return [
    {
      name: 'clock',
      missing: 'times of approvals and notifications may be off',
      committed: (events) => {
        for (const byMs of events.map(setBackBy)) if (byMs !== undefined) setBack(byMs)
      },
    },
    {
      // Early: it looks at files that tools are about to write.
      name: 'enrichment',
      missing: 'contexts come later, and a summary may be missing',
      committed: (events) => insight.committed(events),
      lookAgain: () => insight.lookAgain(),
    },
    {
      name: 'housekeeping',
      missing: 'nothing; the next commit does it',
      committed: () => housekeeping.committed(),
    },
    {
      name: 'event feed',
      missing: 'nothing; listeners read it from the journal',
      committed: (events) => feed.committed(events),
    },
    {
      name: 'session feed',
      missing: 'a change that listeners see with the next one',
      committed: (_, changes) => sessionFeed.committed(changes),
    },
    {
      name: 'hosts',
      missing: 'a change that other hosts see with the next one',
      committed: (_, changes) => tellHosts(changes),
    },
    {
      name: 'tmux',
      missing: 'a change that panes show with the next one',
      committed: (_, changes) => display.committed(changes),
    },
    {
      name: 'notifications',
      missing: 'a notification may be missing',
      committed: (_, changes) => notifier.committed(changes),
      lookAgain: () => notifier.lookAgain(),
    },
    {
      name: 'approvals',
      missing: 'a question may stand until its time is up',
      committed: (_, changes) => approvals.committed(changes),
    },
    {
      name: 'budgets',
      missing: 'nothing; the next event of that session counts it',
      committed: (_, changes) => budgets.committed(changes),
    },
    {
      name: 'loops',
      missing: 'a loop is found a little later',
      committed: (events) => loops.committed(heard(events)),
    },
    {
      name: 'streams',
      missing: 'nothing; readers find the messages in the stream',
      committed: (events) => sources.committed(events),
    },
    {
      name: 'handlers',
      missing: 'a handler missed an event',
      committed: (events) => decisions.committed(heard(events)),
    },
    {
      name: 'collisions',
      missing: 'a session may not be warned of a file that another one writes',
      committed: (events, changes) => collisions.committed(events, changes),
    },
    {
      name: 'observers',
      missing: 'what hooks do not report is noticed with the next event of that session',
      committed: (events, changes) => observers.committed(heard(events), changes),
    },
    {
      name: 'grace',
      missing: 'a subscriber in the Coop dialect may learn late that a session waits',
      committed: (_, changes) => grace.committed(changes),
    },
    {
      name: 'work',
      missing: 'an effort may miss a restart or a status',
      committed: (events) => work.committed(heard(events)),
    },
    {
      name: 'background',
      missing: 'nothing; it reads the journal',
      committed: () => background.committed(),
    },
    {
      name: 'search',
      missing: 'nothing; it reads the journal',
      committed: () => search.committed(),
    },
    {
      name: 'otlp',
      missing: 'nothing; it reads the journal',
      committed: () => otlp.committed(),
    },
    {
      name: 'metrics',
      missing: 'counts of /metrics are too low',
      committed: (events) => {
        metrics.committed(events)
        metricCosts.begin()
      },
    },
  ]
}

/** Without events that were only imported from a log. */
function heard(events: readonly HookEvent[]): readonly HookEvent[] {
  return events.some(isImported) ? events.filter((event) => !isImported(event)) : events
}
