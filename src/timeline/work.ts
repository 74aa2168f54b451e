/** The work engine's part of a timeline: context windows and their predecessors, logs, dialogue. */
import type { MessageView, TimelineEffort, WindowView, WireEvent } from '../client/index.ts'
import type { Entry, EntryKind } from './entry.ts'

const SAME_MS = 2_000 // the ends of a window and of its session are one event

export function workEntries(
  session: { readonly id: string; readonly agent: string },
  effort: TimelineEffort,
  events: readonly WireEvent[],
): Entry[] {
  const windows = effort.sessions.filter(
    ({ nativeId, agent }) => nativeId === session.id && agent === session.agent,
  )
  const told = toldBy(events)
  const messages = effort.messages.filter(
    ({ sessionId, content }) => windows.some(({ id }) => id === sessionId) && !told.has(content),
  )
  return [
    ...windows.flatMap((window) => windowEntries(window, effort, events)),
    ...messages.map((message) => messageEntry(message, windows)),
  ]
}

/** Texts that hooks already reported to the journal; for a client that only makes calls, the messages have them. */
function toldBy(events: readonly WireEvent[]): Set<string> {
  const texts = events.flatMap(({ prompt, message, tool, task, type }) => [
    prompt,
    message,
    tool?.error,
    type === 'TaskCompleted' ? `completed: ${task?.subject ?? task?.id}` : undefined,
  ])
  return new Set(texts.filter((text) => text !== undefined))
}

function windowEntries(window: WindowView, effort: TimelineEffort, events: readonly WireEvent[]): Entry[] {
  const isChild = window.agentId !== ''
  const label = `window ${window.id}`
  const common = { kind: 'window', label, ...(isChild ? { child: true } : {}) } as const
  const begun = { ...common, at: window.startedAt, text: beginning(window, effort, isChild) }
  if (window.endedAt === null) return [begun]
  const end = window.endedAt
  const isSaid = events.some(
    ({ type, at }) => (type === 'SessionEnd' || type === 'SubagentStop') && Math.abs(at - end) < SAME_MS,
  )
  if (isSaid) return [begun]
  return [
    begun,
    { ...common, at: end, text: `closed: ${window.endReason ?? 'ended'}`, tookMs: end - window.startedAt },
  ]
}

function beginning(window: WindowView, effort: TimelineEffort, isChild: boolean): string {
  const work = `effort ${effort.id} ${effort.skill}`
  if (isChild) return `${work} · sub-agent ${window.agentId} of window ${window.prevSessionId ?? '?'}`
  const before = effort.sessions.find(({ id }) => id === window.prevSessionId)
  if (!before) return `${work} · the first`
  const left = before.dehydrationPayload === null ? '' : ', which was written down'
  return `${work} ← window ${before.id} (${before.nativeId.slice(0, 8)})${left}`
}

const KINDS: ReadonlyMap<string, EntryKind> = new Map([
  ['user', 'prompt'],
  ['assistant', 'stop'],
  ['failure', 'error'],
  ['log', 'log'],
  ['dialogue', 'log'],
])

const LABELS: ReadonlyMap<string, string> = new Map([
  ['user', 'prompt'],
  ['assistant', 'answer'],
])

function messageEntry(
  { at, role, content, toolName, sessionId }: MessageView,
  windows: readonly WindowView[],
): Entry {
  const isChild = windows.some(({ id, agentId }) => id === sessionId && agentId !== '')
  return {
    at,
    kind: KINDS.get(role) ?? 'note',
    label: LABELS.get(role) ?? role,
    text: toolName === null || role === 'dialogue' ? content : `${toolName}: ${content}`,
    ...(isChild ? { child: true } : {}),
  }
}
