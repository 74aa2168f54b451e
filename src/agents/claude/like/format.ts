/**
 * Readers for agents that took over Claude Code's hook format. Such an agent names its events and their fields; what a
 * field means is what it means for Claude Code.
 *
 *   const format = claudeFormat({ since: '0.24.4', common: 'timestamp', events: { SessionStart: 'source model' } })
 */
import type { HookEvent, RawEvent } from '../../../events/index.ts'
import { type Draft, type FieldMappers, keep, UNAMBIGUOUS_FIELDS } from '../../fields.ts'
import { type Dialect, type EventSpec, makeDialect, readPayload } from '../../payload.ts'
import { CLAUDE_COMMON, CLAUDE_EVENTS } from '../events.ts'

export interface ClaudeFormat {
  /** The version on which all of it was seen. */
  readonly since: string
  readonly common: FieldMappers
  readonly events: Readonly<Record<string, EventSpec>>
  read(payload: unknown, from: RawEvent): HookEvent
}

interface FormatSpec {
  readonly since: string
  /** Names of fields that any event may have, beside Claude Code's. */
  readonly common?: string
  /** Events with the same fields as Claude Code's. */
  readonly same?: string
  /** Event → names of its own fields. */
  readonly events: Readonly<Record<string, string>>
  /** Fields that mean something else here. */
  readonly own?: FieldMappers
  /** What an event is besides its fields. */
  settle?(draft: Draft): void
}

export function claudeFormat(spec: FormatSpec): ClaudeFormat {
  const { since, common = '', same = '', own = {}, settle } = spec
  const alike = words(same).map((name) => [name, Object.keys(CLAUDE_EVENTS[name]?.fields ?? {}).join(' ')])
  const events = { ...Object.fromEntries(alike), ...spec.events }
  const fieldsOf = (event: string, names: string): FieldMappers => {
    const known: FieldMappers = { ...UNAMBIGUOUS_FIELDS, ...CLAUDE_EVENTS[event]?.fields, ...own }
    return Object.fromEntries(words(names).map((name) => [name, known[name] ?? keep]))
  }
  const { effort: _, ...shared } = CLAUDE_COMMON
  const everywhere = { ...shared, ...fieldsOf('', common) }
  const table = Object.fromEntries(
    Object.entries<string>(events).map(([name, own]) => [
      name,
      { type: name, since, fields: fieldsOf(name, own) },
    ]),
  )
  // Made with the agent's first event: most people have few of the agents, and a start loads all records.
  let dialect: Dialect | undefined
  return {
    since,
    common: everywhere,
    events: table,
    read: (payload, from) => {
      dialect ??= makeDialect(table, { ...UNAMBIGUOUS_FIELDS, ...everywhere, ...own })
      const draft = readPayload(dialect, payload, from)
      settle?.(draft)
      return draft
    },
  }
}

function words(names: string): string[] {
  return names.split(' ').filter((name) => name !== '')
}
