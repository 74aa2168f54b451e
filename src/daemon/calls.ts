/** The calls that the daemon itself answers. Other rooms bring their own. */
import { z } from 'zod'
import { DEFAULT_AGENT } from '../agents/facts.ts'
import { agentFor } from '../agents/index.ts'
import type { EventQuery, Finding, Status } from '../client/protocol.ts'
import { GantryError } from '../core/errors.ts'
import { evaluate, type Policy } from '../decisions/rules/index.ts'
import { newId } from '../events/index.ts'
import { toWire } from '../journal/event-filter.ts'
import { querySchema } from '../journal/event-query.ts'
import { type GlanceSource, glance } from '../journal/listing.ts'
import { readEvent, reviveRow } from '../journal/parse-event.ts'
import type { ReadProcesses } from '../journal/query-process.ts'
import { defineRpc, type Rpc, type RpcRegistry } from '../rpc/rpc.ts'
import type { Store } from '../store/index.ts'

const nothing = z.strictObject({})
const MAX_LISTED = 10_000

export interface CallParts {
  readonly store: Store
  readonly status: () => Status
  readonly findings: () => Promise<Finding[]>
  readonly policy: Policy
  readonly stop: () => unknown
  readonly processes: ReadProcesses
}

export function daemonCalls(parts: CallParts, registry: RpcRegistry): Rpc[] {
  return [
    defineRpc({
      name: 'status',
      summary: 'What the daemon is doing',
      args: nothing,
      example: {},
      handle: () => parts.status(),
    }),
    defineRpc({
      name: 'doctor',
      summary: 'What the daemon knows to be wrong, with the fix for each',
      args: nothing,
      example: {},
      handle: () => parts.findings(),
    }),
    defineRpc({
      name: 'counters',
      summary: 'Counts of what was odd: unknown fields, duplicates, cut payloads, degraded answers',
      args: nothing,
      example: {},
      handle: () => parts.store.counters.all(),
    }),
    defineRpc({
      name: 'events.list',
      summary: 'The newest events that pass a query, oldest first',
      args: querySchema.extend({ limit: z.int().min(1).max(MAX_LISTED).default(100) }),
      example: { type: 'Stop', limit: 10 },
      handle: ({ limit, ...query }, { signal }) => {
        const events = query as EventQuery
        return glance(sourceOf(parts.store), events, limit) ?? parts.processes.ask({ events, limit }, signal)
      },
    }),
    defineRpc({
      name: 'events.get',
      summary: 'One event by its id',
      args: z.strictObject({ id: z.string().min(1) }),
      example: { id: '01KA2Z5V3C7Q9M0XW4T8R6Y1BN' },
      handle: ({ id }) => {
        const row = parts.store.byId(id)
        if (!row) throw new GantryError('VALIDATION_ERROR', `There is no event ${id} in the journal.`)
        return toWire(reviveRow(row))
      },
    }),
    defineRpc({
      name: 'rules.list',
      summary: 'The rules in force, in the order they speak',
      args: nothing,
      example: {},
      handle: () => parts.policy.rules.map(({ text }) => text),
    }),
    defineRpc({
      name: 'rules.test',
      summary: 'What the rules would say to a payload, and what the agent would be told; nothing is stored',
      args: z.strictObject({
        agent: z.string().default(DEFAULT_AGENT),
        payload: z.record(z.string(), z.unknown()),
      }),
      example: {
        payload: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
      },
      handle: ({ agent, payload }) => tryRules(parts.policy, agent, payload),
    }),
    defineRpc({
      name: 'query',
      summary: 'One read-only SQL question on the journal',
      args: z.strictObject({ sql: z.string().min(1), limit: z.int().min(1).max(100_000).default(1000) }),
      example: { sql: 'SELECT type, count(*) AS n FROM events GROUP BY type' },
      handle: ({ sql, limit }, { signal }) => parts.processes.ask({ sql, limit }, signal),
    }),
    defineRpc({
      name: 'calls',
      summary: 'All calls, with an example each',
      args: nothing,
      example: {},
      handle: () => registry.all().map(({ name, summary, example }) => ({ name, summary, example })),
    }),
    defineRpc({
      name: 'stop',
      summary: 'Answers what waits, then stops the daemon',
      args: nothing,
      example: {},
      handle: () => parts.stop(),
    }),
  ]
}

function sourceOf(store: Store): GlanceSource {
  return { ...store, row: store.bySeq, lastSeq: () => store.journal.lastSeq }
}

function tryRules(policy: Policy, agent: string, payload: Record<string, unknown>): unknown {
  const now = Date.now()
  const event = readEvent({
    id: newId(),
    at: now,
    receivedAt: now,
    agent,
    client: { env: {} },
    transport: 'socket',
    raw: JSON.stringify(payload),
  })
  const verdict = evaluate(policy.rules, event)
  return { type: event.type, verdict, ...agentFor(agent).answer(event, verdict) }
}
