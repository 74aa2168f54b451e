/** A session as records of another tool's format: for `sessions.list` and the feeds with a dialect. */
import { GantryError } from '../core/errors.ts'
import { atm, coop, DIALECTS, type Dialect, engine, type Session, teleclaude } from './state/index.ts'

export type OtherDialect = Exclude<Dialect, 'gantry'>

/** The dialect that a subscription asks for; undefined is gantry's own. */
export function dialectOf(value: unknown): OtherDialect | undefined {
  if (value === undefined || value === null || value === 'gantry') return undefined
  const found = DIALECTS.find((one): one is OtherDialect => one !== 'gantry' && one === value)
  if (found) return found
  throw new GantryError(
    'VALIDATION_ERROR',
    `There is no dialect ${JSON.stringify(value)}. Use one of: ${DIALECTS.join(', ')}.`,
  )
}

/** Undefined if that tool shows no such session. */
export function dialectView(session: Session, dialect: OtherDialect, now: number): object | undefined {
  const whose = { id: session.id, name: session.name, agent: session.agent }
  switch (dialect) {
    case 'coop':
      return { ...whose, state: coop(session, now) }
    case 'atm': {
      const status = atm(session)
      return status && { ...whose, ...status }
    }
    case 'engine':
      return { ...whose, status: engine(session) ?? null }
    case 'teleclaude':
      return { ...whose, event_type: teleclaude(session) ?? null, ...toldAtStop(session) }
  }
}

/** TeleClaude's fields for a stop: the last prompt and answer, a title and a summary. */
function toldAtStop({ lastPrompt, lastMessage, title, summary }: Session): Record<string, string> {
  const told = {
    last_message_sent: lastPrompt,
    last_message_received: lastMessage,
    title: title ?? summary?.title,
    summary: summary?.text,
  }
  return Object.fromEntries(
    Object.entries(told).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
