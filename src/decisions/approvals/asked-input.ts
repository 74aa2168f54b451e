/**
 * The input of the tool that a session waits for. A session keeps no input, so it is read from the journal again: the
 * event that asked, or the one with which the call began.
 */
import { parseRow } from '../../journal/index.ts'
import type { Attention, Session } from '../../sessions/state/index.ts'
import type { Store } from '../../store/index.ts'

const AMONG_EVENTS = 1_000 // a session that sent more events since then no longer waits, or another sub-agent waits

export function askedInput(
  store: Pick<Store, 'eventsAt'>,
  { agent, id, openTools }: Session,
  { since, tool, call, agentId }: Attention,
): unknown {
  const began = openTools.filter((open) => open.call === call).map((open) => open.since)
  const rows = store.eventsAt({ agent, session: id, times: [since, ...began], among: AMONG_EVENTS })
  return rows
    .map((row) => parseRow(row))
    .find(
      (event) => event.tool && event.agentId === agentId && (tool === undefined || event.tool.name === tool),
    )?.tool?.input
}
