/** A payload of an agent for people: one field per line, long texts as they are, nothing interpreted. */
import type { ReactNode } from 'react'
import { Code } from './code.tsx'
import { type Language, languageOfField } from './language.ts'
import { shown } from './words.ts'

const MAX_DEPTH = 8
const MAX_MEMBERS = 200 // of a list or a record; the raw text has all
const MAX_CHARS = 20_000

export function Payload({ value }: { readonly value: unknown }) {
  return <div className="payload">{node(value, 0)}</div>
}

function node(value: unknown, depth: number, language?: Language): ReactNode {
  if (typeof value === 'string') return <Text text={value} language={language} />
  if (typeof value !== 'object' || value === null)
    return <code className="atom">{value === undefined ? '' : String(value)}</code>
  if (depth >= MAX_DEPTH) return <code className="quiet">…</code>
  const members: [string, unknown][] = Array.isArray(value)
    ? value.map((one, n) => [String(n + 1), one])
    : Object.entries(value)
  if (members.length === 0) return <code className="quiet">{Array.isArray(value) ? '[ ]' : '{ }'}</code>
  return (
    <dl>
      {members.slice(0, MAX_MEMBERS).map(([name, one]) => (
        <div key={name} className={isLong(one) ? 'long' : undefined}>
          <dt>{shown(name)}</dt>
          <dd>{node(one, depth + 1, languageOfField(name, value as Readonly<Record<string, unknown>>))}</dd>
        </div>
      ))}
      {members.length > MAX_MEMBERS ? <div className="quiet">{members.length - MAX_MEMBERS} more</div> : null}
    </dl>
  )
}

function Text({ text, language }: { readonly text: string; readonly language: Language | undefined }) {
  const short =
    text.length > MAX_CHARS
      ? `${text.slice(0, MAX_CHARS)}\n… ${text.length - MAX_CHARS} more characters`
      : text
  const code = <Code text={short} language={language} />
  return isLong(text) ? (
    <pre className="box">{code}</pre>
  ) : (
    <span className={language ? 'text mono' : 'text'}>{short === '' ? '""' : code}</span>
  )
}

function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\n') || value.length > 120
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}
