/**
 * Gives replayed events new ids, so that they belong to no real session: every id of a known format in a payload becomes
 * another of that format, consistently within a run. Other ids are replaced only where they are the session's.
 *
 *   const rename = renamer({ run: newId(), prefix: '' })
 *   rename('c4f3ad2a-d89e-4889-830b-e7c835403de8')     // 'f1d9…'
 */
import { createHash } from 'node:crypto'
import { agentFor } from '../agents/index.ts'
import { jsonIn } from '../core/json.ts'
import { type HookEvent, partsOfKey, type RawEvent } from '../events/index.ts'
import type { RecordedLine } from './recorded.ts'

export type Rename = (id: string) => string

const KNOWN_FORMS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\bses_[A-Za-z0-9]{12,64}/gi
const WHOLE_FORM = new RegExp(`^(?:${KNOWN_FORMS.source})$`, 'i')
const OWN_KEYS = ['session_key', 'parent_key'] // how internal events name sessions: "<agent>:<id>"

export function renamer({ run, prefix }: { readonly run: string; readonly prefix: string }): Rename {
  return (id) => {
    const hash = createHash('sha256').update(`${run}\n${id.toLowerCase()}`).digest('hex')
    if (id.startsWith('ses_')) return `${prefix}ses_${hash.slice(0, id.length - 4)}`
    if (!WHOLE_FORM.test(id)) return `${prefix}${id}-${hash.slice(0, 8)}`
    const part = (from: number, to: number) => hash.slice(from, to)
    return `${prefix}${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-a${part(17, 20)}-${part(20, 32)}`
  }
}

export interface Rebased {
  /** With new ids. */
  readonly payload: string | Uint8Array
  /** The new session id; empty if it has none. */
  readonly session: string
  /** The type according to the agent's own parser. */
  readonly type: string
  /** It belongs to no visible session. */
  readonly isHidden: boolean
  /** The sub-agent that did it. */
  readonly child?: string
}

export function rebase(line: RecordedLine, rename: Rename): Rebased {
  const { payload } = line
  if (typeof payload !== 'string') return { payload, session: '', type: '', isHidden: false }
  const event = agentFor(line.agent).read(jsonIn(payload), rawEventOf(line, payload))
  const old = sessionOf(event)
  const session = old === '' ? '' : rename(old)
  const about = {
    session,
    type: event.type,
    isHidden: event.hidden !== undefined,
    ...(event.agentId === undefined ? {} : { child: rename(event.agentId) }),
  }
  const text = payload.replace(KNOWN_FORMS, rename)
  if (old === '' || WHOLE_FORM.test(old)) return { payload: text, ...about }
  return { payload: JSON.stringify(replaced(JSON.parse(text), old, session)), ...about }
}

function sessionOf({ sessionId, fields }: HookEvent): string {
  const key = OWN_KEYS.map((name) => fields?.[name]).find((one) => typeof one === 'string')
  return sessionId !== '' || typeof key !== 'string' ? sessionId : partsOfKey(key).sessionId
}

function rawEventOf({ agent, event, at, env }: RecordedLine, raw: string): RawEvent {
  return { id: '', at, receivedAt: at, agent, event, client: { env }, transport: 'replay', raw }
}

/** Replaces only values that are the id, or end with it after the agent's name: a short id may be part of any word. */
function replaced(value: unknown, old: string, renamed: string): unknown {
  if (typeof value === 'string') {
    if (value === old) return renamed
    return value.endsWith(`:${old}`) ? value.slice(0, -old.length) + renamed : value
  }
  if (Array.isArray(value)) return value.map((one) => replaced(one, old, renamed))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, old, renamed)]))
}
