/**
 * A turn of a session as spans, by the GenAI semantic conventions of OpenTelemetry: the turn and each sub-agent are
 * `invoke_agent`, each tool call is `execute_tool`. All spans of a session are one trace. Ids derive from the ids of events, so a
 * span that is sent again is the same span. Names and numbers only: no prompt, no input, no path. Pure.
 */
import { PRICES, priceOf } from '../agents/index.ts'
import type { HookEvent } from '../events/index.ts'
import type { TurnUsageRow } from '../store/index.ts'
import type { Entry } from '../timeline/index.ts'

type Value = string | number | boolean

export interface SpanRecord {
  readonly traceId: string
  readonly spanId: string
  readonly parentId?: string
  readonly name: string
  /** UTC milliseconds. */
  readonly from: number
  readonly to: number
  readonly attributes: Readonly<Record<string, Value>>
  /** It failed, and how. */
  readonly error?: string
}

export interface TracedSession {
  readonly agent: string
  readonly id: string
  readonly name?: string
  readonly project?: string
}

interface TracedTurn {
  readonly session: TracedSession
  /** The event it began with. */
  readonly prompt: HookEvent
  /** Of the whole turn, by sequence. */
  readonly events: ReadonlyMap<number, HookEvent>
  readonly entries: readonly Entry[]
  readonly to: number
  readonly error?: string
  readonly usage: readonly TurnUsageRow[]
}

/** As of the GenAI conventions; their package marks all of them as experimental and moved. */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agentName: 'gen_ai.agent.name',
  agentId: 'gen_ai.agent.id',
  agentVersion: 'gen_ai.agent.version',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheRead: 'gen_ai.usage.cache_read.input_tokens',
  cacheWrite: 'gen_ai.usage.cache_creation.input_tokens',
  toolName: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
  toolType: 'gen_ai.tool.type',
} as const

/** The conventions' names of those whose prices are known. */
const PROVIDERS: Readonly<Record<string, string>> = {
  Anthropic: 'anthropic',
  OpenAI: 'openai',
  Google: 'gcp.gemini',
}
/** Of which a tool call's entry is made: its start, or its end where the start is not known. */
const TOOL_EVENTS: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionDenied',
])
const MAX_NAME_CHARS = 200

export function turnSpans(turn: TracedTurn): SpanRecord[] {
  const { session, prompt, events, entries, to } = turn
  const common = commonOf(session)
  const traceId = traceOf(session)
  const turnId = idOf('turn', prompt.id)
  const agents = new Map<string, string>()
  const children = entries.flatMap((entry): SpanRecord[] => {
    const event = entry.seq === undefined ? undefined : events.get(entry.seq)
    if (!event) return []
    const from = Math.max(entry.at, prompt.at)
    const span = { traceId, from, to: endOf(entry, from, to) }
    if (entry.subagent !== undefined) {
      if (event.type !== 'SubagentStart') return [] // its end has an entry, too
      const spanId = idOf('agent', event.id)
      agents.set(entry.subagent, spanId)
      const name = short(event.agentType ?? 'sub-agent')
      const own = turn.usage.filter(({ agentId }) => agentId === entry.subagent)
      return [
        {
          ...{ ...span, spanId, parentId: turnId, name: `invoke_agent ${name}` },
          attributes: {
            ...common,
            ...usageOf(own),
            [GEN_AI.operation]: 'invoke_agent',
            [GEN_AI.agentName]: name,
            [GEN_AI.agentId]: short(entry.subagent),
            ...openOf(entry),
          },
        },
      ]
    }
    const parentId = agents.get(entry.agentId ?? '') ?? turnId
    if (entry.kind === 'ask')
      return [
        {
          ...{ ...span, parentId, spanId: idOf('ask', event.id), name: 'wait for a person' },
          attributes: { ...common, 'gantry.ask': short(entry.label), ...openOf(entry) },
        },
      ]
    return TOOL_EVENTS.has(event.type) ? [toolSpan({ ...span, parentId }, entry, event, common)] : []
  })
  const own = turn.usage.filter(({ agentId }) => agentId === '')
  const name = short(session.agent)
  return [
    {
      ...{ traceId, spanId: turnId, parentId: sessionSpanId(session), name: `invoke_agent ${name}` },
      ...{ from: prompt.at, to },
      attributes: {
        ...common,
        ...usageOf(own, prompt.model),
        [GEN_AI.operation]: 'invoke_agent',
        [GEN_AI.agentName]: name,
        ...(prompt.agentVersion === undefined ? {} : { [GEN_AI.agentVersion]: short(prompt.agentVersion) }),
      },
      ...(turn.error === undefined ? {} : { error: turn.error }),
    },
    ...children,
  ]
}

/** The whole session, once it has ended: the root of its trace. */
export function sessionSpan(session: TracedSession, from: number, to: number): SpanRecord {
  return {
    traceId: traceOf(session),
    spanId: sessionSpanId(session),
    name: `session ${short(session.agent)}`,
    ...{ from, to: Math.max(from, to) },
    attributes: commonOf(session),
  }
}

function toolSpan(
  span: Pick<SpanRecord, 'traceId' | 'parentId' | 'from' | 'to'>,
  entry: Entry,
  event: HookEvent,
  common: SpanRecord['attributes'],
): SpanRecord {
  const { tool } = event
  const name = short(tool?.name ?? entry.label)
  const error = entry.denied ? 'denied' : entry.kind === 'error' ? 'tool_error' : undefined
  return {
    ...span,
    spanId: idOf('tool', event.id),
    name: `execute_tool ${name}`,
    attributes: {
      ...common,
      [GEN_AI.operation]: 'execute_tool',
      [GEN_AI.toolName]: name,
      [GEN_AI.toolType]: 'function',
      ...(tool?.useId === undefined ? {} : { [GEN_AI.toolCall]: short(tool.useId) }),
      ...openOf(entry),
    },
    ...(error === undefined ? {} : { error }),
  }
}

function commonOf({ id, name, project }: TracedSession): SpanRecord['attributes'] {
  return {
    [GEN_AI.conversation]: short(id),
    ...(name === undefined ? {} : { 'gantry.session.name': short(name) }),
    ...(project === undefined ? {} : { 'gantry.project': short(project) }),
  }
}

/** By the conventions, input tokens include those that a cache had or got. */
function usageOf(rows: readonly TurnUsageRow[], asked?: string): SpanRecord['attributes'] {
  const [first] = rows.toSorted((a, b) => b.output - a.output)
  const model = first?.model ?? asked
  const provider = model === undefined ? undefined : providerOf(model)
  const named = {
    ...(provider === undefined ? {} : { [GEN_AI.provider]: provider }),
    ...(model === undefined ? {} : { [GEN_AI.requestModel]: short(asked ?? model) }),
  }
  if (first === undefined) return named
  const sum = (of: (row: TurnUsageRow) => number) => rows.reduce((all, row) => all + of(row), 0)
  return {
    ...named,
    [GEN_AI.responseModel]: short(first.model),
    [GEN_AI.inputTokens]: sum(({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite),
    [GEN_AI.outputTokens]: sum(({ output }) => output),
    [GEN_AI.cacheRead]: sum(({ cacheRead }) => cacheRead),
    [GEN_AI.cacheWrite]: sum(({ cacheWrite }) => cacheWrite),
    'gantry.requests': sum(({ requests }) => requests),
    ...(rows.some(({ unpriced }) => unpriced > 0)
      ? {}
      : { 'gantry.cost_usd': sum(({ costUsd }) => costUsd) }),
  }
}

function providerOf(model: string): string | undefined {
  const price = priceOf(model, 0)
  const list = price && PRICES.find(({ prices }) => prices.includes(price))
  return list && PROVIDERS[list.provider]
}

/** It goes on after its turn, or nobody told its end. */
function openOf({ open }: Entry): { 'gantry.open'?: true } {
  return open ? { 'gantry.open': true } : {}
}

function endOf({ endAt, tookMs, at, open }: Entry, from: number, turnEnd: number): number {
  const end = endAt ?? (tookMs === undefined ? (open ? turnEnd : at) : at + tookMs)
  return Math.max(from, end)
}

function traceOf({ agent, id }: TracedSession): string {
  return hash(`trace\n${agent}\n${id}`, 16)
}

function sessionSpanId({ agent, id }: TracedSession): string {
  return hash(`session\n${agent}\n${id}`, 8)
}

function idOf(kind: string, eventId: string): string {
  return hash(`${kind}\n${eventId}`, 8)
}

function hash(text: string, bytes: number): string {
  return new Bun.CryptoHasher('sha256')
    .update(text)
    .digest('hex')
    .slice(0, bytes * 2)
}

function short(text: string): string {
  return text.length > MAX_NAME_CHARS ? text.slice(0, MAX_NAME_CHARS).toWellFormed() : text.toWellFormed()
}
