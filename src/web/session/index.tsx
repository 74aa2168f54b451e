/** One session: where the time went, what it changed, what happened. */
import { type ComponentType, lazy, Suspense, useCallback, useEffect, useRef } from 'react'
import type { SessionView } from '../../client/index.ts'
import { counted } from '../../core/text/text.ts'
import { Card } from '../fleet/card.tsx'
import { SessionDialogs } from '../fleet/dialogs.tsx'
import type { Answers } from '../fleet/held.tsx'
import { useKeys } from '../keys.ts'
import { useCall } from '../live/call.ts'
import { useLive, useSession } from '../live/store.ts'
import { setTitle } from '../live/title.ts'
import { Command, Empty } from '../parts/empty.tsx'
import { shown } from '../parts/format.ts'
import { linkTo, partsOf, usePath } from '../router.ts'
import { TAB_NAMES, type Tab, useShown } from './address.ts'
import { type Timeline, useThrottled, useTimeline } from './data.ts'
import { decisionsIn } from './entries.ts'
import { Head } from './head.tsx'
import { Tabs } from './tabs.tsx'
import { TimelineTab } from './timeline/tab.tsx'

const FILES_MS = 5_000

export interface TabProps {
  readonly session: SessionView
  readonly timeline: Timeline
  readonly at: number | undefined
}

const PANELS: Readonly<Record<Tab, ComponentType<TabProps>>> = {
  timeline: TimelineTab,
  changes: lazy(async () => ({ default: (await import('./changes/tab.tsx')).ChangesTab })),
  events: lazy(async () => ({ default: (await import('./events/tab.tsx')).EventsTab })),
  transcript: lazy(async () => ({ default: (await import('./transcript.tsx')).TranscriptTab })),
  decisions: lazy(async () => ({ default: (await import('./decisions.tsx')).DecisionsTab })),
  effort: lazy(async () => ({ default: (await import('./effort.tsx')).EffortTab })),
}

export default function Session() {
  const [key = ''] = partsOf(usePath())
  const isKnown = useLive(({ known }) => known)
  const living = useSession(key)
  // One that ended long ago, or a link with its name; and what is known of any before all sessions are.
  const asked = useCall('sessions.get', !living && key !== '' ? { session: key } : undefined)
  const named = useSession(asked.data?.key ?? '')
  const session = living ?? named ?? asked.data
  if (session) return <Whole key={session.key} session={session} />
  if (!isKnown || asked.state === 'loading') return <p className="waits">Loading…</p>
  return (
    <>
      <h1 className="hidden-text">Session</h1>
      <Empty title="No such session">
        <p>
          <code>{shown(key)}</code> is not known here. <a {...linkTo('/')}>To the fleet</a>, or list all that
          the journal has:
        </p>
        <Command>gantry sessions --all</Command>
      </Empty>
    </>
  )
}

function Whole({ session }: { readonly session: SessionView }) {
  const { tab, at } = useShown()
  const timeline = useTimeline(session)
  const Panel = PANELS[tab]
  const denied = timeline.asked.data ? decisionsIn(timeline.asked.data.entries).length : 0
  const again = useThrottled(session.turn.stoppedAt ?? session.turn.startedAt, FILES_MS)
  const files = useCall('sessions.files', { session: session.key }, again).data?.length ?? 0
  useEffect(() => {
    // After the shell, which names the view.
    const timer = setTimeout(() => setTitle(session.name))
    return () => clearTimeout(timer)
  }, [session.name])
  return (
    <div className="session">
      <Head session={session} />
      <Asks session={session} />
      <Tabs
        sessionKey={session.key}
        tab={tab}
        notes={{
          changes: files > 0 ? counted(files, 'file') : undefined,
          decisions: denied > 0 ? denied : undefined,
        }}
      />
      <section id="session-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} data-tab={tab}>
        <h2 className="hidden-text">{TAB_NAMES[tab]}</h2>
        <Suspense fallback={<p className="waits">Loading…</p>}>
          <Panel session={session} timeline={timeline} at={at} />
        </Suspense>
      </section>
      <SessionDialogs />
    </div>
  )
}

/** What it asks, with the answers, as in the fleet. */
function Asks({ session }: { readonly session: SessionView }) {
  const answers = useRef<Answers>(undefined)
  const onAnswers = useCallback((_: string, given: Answers | undefined) => {
    answers.current = given
  }, [])
  const answer = (what: keyof Answers) => (answers.current ? answers.current[what]() : false)
  useKeys(
    session.needsYou
      ? [
          { keys: ['a', 'A'], shown: 'A', does: 'approve', run: () => answer('approve') },
          { keys: ['x', 'X'], shown: 'X', does: 'deny', run: () => answer('deny') },
        ]
      : [],
  )
  if (!session.needsYou) return null
  return (
    <div className="session-asks">
      <Card session={session} selected={false} onSelect={ignore} onAnswers={onAnswers} />
    </div>
  )
}

function ignore(): void {}
