/** Every session of every agent, those that need you first. */
import { useCallback, useMemo, useRef } from 'react'
import type { SessionView } from '../../client/index.ts'
import { counted } from '../../core/text/text.ts'
import { aged } from '../../sessions/state/look.ts'
import { rowId } from '../../sessions/state/tree.ts'
import { useClock } from '../live/clock.ts'
import { type LiveState, useLive } from '../live/store.ts'
import { toast } from '../parts/toast.tsx'
import { useActivity } from './activity.ts'
import { Card } from './card.tsx'
import { useChoice, withFold } from './choice.ts'
import { SessionDialogs } from './dialogs.tsx'
import { NewUser, NothingShown } from './empty.tsx'
import type { Answers } from './held.tsx'
import { useFleetKeys } from './keys.ts'
import { List } from './list.tsx'
import { Toolbar } from './toolbar.tsx'
import { isNeedy, type Placed, shownOf } from './tree.ts'

const MAX_CARDS = 24 // more than anybody answers at once; the rest is in the list

const sessionsOf = (state: LiveState) => state.sessions
const hostsOf = (state: LiveState) => state.hosts
const knownOf = (state: LiveState) => state.known

export default function Fleet() {
  const sessions = useLive(sessionsOf)
  const hosts = useLive(hostsOf)
  const known = useLive(knownOf)
  const minute = useClock((now) => Math.floor(now / 60_000))
  const [choice, choose] = useChoice()
  const { filter, agent, search, folded } = choice
  const activity = useActivity()
  const field = useRef<HTMLInputElement>(null)

  const all = useMemo((): readonly Placed[] => {
    const now = (minute + 1) * 60_000
    const here = [...sessions.values()].map((session) => ({ session: aged(session, now) }))
    const there = hosts.flatMap((host) => host.sessions.map((session) => ({ session, host })))
    return [...here, ...there]
  }, [sessions, hosts, minute])
  const shown = useMemo(
    () => shownOf(all, { filter, agent, search, folded }),
    [all, filter, agent, search, folded],
  )
  const { needs } = shown
  const agents = useMemo(() => [...new Set(all.map(({ session }) => session.agent))].sort(), [all])

  const answers = useRef(new Map<string, Answers>())
  const onAnswers = useCallback((key: string, given: Answers | undefined) => {
    if (given) answers.current.set(key, given)
    else answers.current.delete(key)
  }, [])
  const onSelect = useCallback((selected: string) => choose({ selected }), [choose])
  const onPress = useCallback(
    (id: string) => choose(({ opened }) => ({ selected: id, opened: opened === id ? undefined : id })),
    [choose],
  )
  const onFold = useCallback(
    (id: string) =>
      choose((now) => ({ selected: id, folded: withFold(now.folded, id, !now.folded.has(id)) })),
    [choose],
  )
  const onAll = useCallback(() => choose({ filter: 'all', agent: undefined, search: '' }), [choose])
  useFleetKeys({ rows: shown.rows, needs, choice, choose, field, answer: answerSelected })

  function answerSelected(what: keyof Answers, session: SessionView | undefined): void {
    const given = session && answers.current.get(session.key)
    if (given) given[what]()
    else if (session && isNeedy({ session }))
      toast(`${session.name} is asked in its own terminal${session.pane ? ': ↵ goes there' : ''}.`)
    else
      toast(
        session
          ? `${session.name} asks for nothing.`
          : 'Select a session first: n goes to the next that needs you.',
      )
  }

  if (!known) return <p className="waits">Connecting…</p>
  return (
    <>
      <h1 className="hidden-text">Fleet</h1>
      {all.length === 0 ? null : (
        <Toolbar
          {...{ search, filter, agent, agents, field, onAll }}
          counts={shown.counts}
          hidden={shown.hidden}
          onSearch={(text) => choose({ search: text })}
          onFilter={(one) => choose({ filter: one })}
          onAgent={(one) => choose({ agent: one })}
        />
      )}
      {needs.length > 0 ? (
        <section className="needs" aria-label="Needs you">
          {needs.slice(0, MAX_CARDS).map((one) => (
            <Card
              key={rowId(one)}
              session={one.session}
              host={one.host}
              selected={choice.selected === rowId(one)}
              {...{ onSelect, onAnswers }}
            />
          ))}
        </section>
      ) : null}
      {needs.length > MAX_CARDS ? (
        <p className="quiet">
          {counted(needs.length - MAX_CARDS, 'more session needs', 'more sessions need')} you, below.
        </p>
      ) : null}
      {all.length === 0 ? (
        <NewUser />
      ) : shown.rows.length === 0 ? (
        <NothingShown hidden={shown.hidden} onAll={onAll} />
      ) : (
        <List rows={shown.rows} {...{ choice, activity, onPress, onFold }} />
      )}
      <SessionDialogs />
    </>
  )
}
