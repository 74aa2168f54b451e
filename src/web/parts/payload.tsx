/** A payload of an agent for people: one field per line, long texts as they are, nothing interpreted. */
import { memo, type ReactNode } from 'react'
import { Code } from './code.tsx'
import { shown } from './format.ts'
import { type Language, languageOfField } from './language.ts'

const MAX_DEPTH = 8
const MAX_MEMBERS = 200 // of a list or a record; the raw text has all
const MAX_CHARS = 20_000 // of a text
const MAX_NODES = 1_500 // of all: a payload may have a million
const MAX_ALL_CHARS = 200_000

export const Payload = memo(function Payload({ value }: { readonly value: unknown }) {
  return <div className="payload">{node(value, 0, { nodes: MAX_NODES, chars: MAX_ALL_CHARS })}</div>
})

/** What may still be shown. */
interface Room {
  nodes: number
  chars: number
}

function node(value: unknown, depth: number, room: Room, language?: Language): ReactNode {
  room.nodes -= 1
  if (room.nodes < 0) return <code className="quiet">…</code>
  if (typeof value === 'string') return <Text text={value} most={take(room, value)} language={language} />
  if (typeof value !== 'object' || value === null)
    return <code className="atom">{value === undefined ? '' : String(value)}</code>
  if (depth >= MAX_DEPTH) return <code className="quiet">…</code>
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const count = names?.length ?? (value as unknown[]).length
  const fit = Math.min(count, MAX_MEMBERS, Math.max(1, room.nodes))
  const record = value as Readonly<Record<string, unknown>>
  if (count === 0) return <code className="quiet">{Array.isArray(value) ? '[ ]' : '{ }'}</code>
  return (
    <dl>
      {Array.from({ length: fit }, (_, n) => {
        const name = names?.[n] ?? String(n + 1)
        const one = record[names?.[n] ?? n]
        return (
          <div key={name} className={isLong(one) ? 'long' : undefined}>
            <dt>{shown(name.slice(0, MAX_CHARS))}</dt>
            <dd>{node(one, depth + 1, room, languageOfField(name, record))}</dd>
          </div>
        )
      })}
      {count > fit ? <div className="quiet">{(count - fit).toLocaleString('en')} more</div> : null}
    </dl>
  )
}

/** How much of a text fits. */
function take(room: Room, { length }: string): number {
  const most = Math.min(length, MAX_CHARS, Math.max(room.chars, 0))
  room.chars -= most
  return most
}

interface TextProps {
  readonly text: string
  /** Characters of it that are shown. */
  readonly most: number
  readonly language: Language | undefined
}

function Text({ text, most, language }: TextProps) {
  const short =
    text.length > most
      ? `${text.slice(0, most)}\n… ${(text.length - most).toLocaleString('en')} more characters`
      : text
  const code = <Code text={short} language={language} />
  return isLong(text) ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard
    <pre className="box" tabIndex={0}>
      {code}
    </pre>
  ) : (
    <span className={language ? 'text mono' : 'text'}>{short === '' ? '""' : code}</span>
  )
}

function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > 120 || value.includes('\n')
  for (const _ in Object(value)) return true
  return false
}
