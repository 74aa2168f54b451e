/** Prompts and answers, from the agent's own transcript; without one, those that its hooks told. */
import { memo, useState } from 'react'
import type { TranscriptMessage } from '../../client/index.ts'
import type { Entry } from '../../timeline/entry.ts'
import { useCall } from '../live/call.ts'
import { Button } from '../parts/controls.tsx'
import { clockWords, shown } from '../parts/format.ts'
import { Payload } from '../parts/payload.tsx'
import { useThrottled } from './data.ts'
import { toldIn } from './entries.ts'
import type { TabProps } from './index.tsx'
import { blocksIn } from './text-blocks.ts'

const AGAIN_MS = 3_000
const FIRST = 200
const MOST = 20_000 // the daemon's own limit
const TOOL_CHARS = 8_000

export function TranscriptTab({ session, timeline }: TabProps) {
  const [limit, setLimit] = useState(FIRST)
  const again = useThrottled(session.cause?.seq, AGAIN_MS)
  const asked = useCall('sessions.transcript', { session: session.key, limit }, again)
  const view = asked.data
  if (!view)
    return asked.state === 'failed' ? (
      <Told why={asked.error.message} entries={timeline.asked.data?.entries ?? []} agent={session.agent} />
    ) : (
      <p className="waits">Reading the transcript…</p>
    )
  if (view.messages.length === 0) return <p className="nothing">The transcript has no messages yet.</p>
  return (
    <div className="transcript">
      {view.cut && limit < MOST ? (
        <Button onClick={() => setLimit(Math.min(MOST, limit * 5))}>Show older messages</Button>
      ) : null}
      {view.messages.map((message) => (
        <Message key={message.id} message={message} agent={session.agent} />
      ))}
    </div>
  )
}

interface ToldProps {
  readonly why: string
  readonly entries: readonly Entry[]
  readonly agent: string
}

function Told({ why, entries, agent }: ToldProps) {
  const messages = toldIn(entries)
  return (
    <div className="transcript">
      <p className="nothing">
        {shown(why)}
        {messages.length > 0
          ? ' Here are the prompts and last answers that its hooks told; long ones are cut.'
          : null}
      </p>
      {messages.map((message) => (
        <Message key={message.id} message={message} agent={agent} />
      ))}
    </div>
  )
}

interface MessageProps {
  readonly message: TranscriptMessage
  readonly agent: string
}

const Message = memo(function Message({ message, agent }: MessageProps) {
  const { role, at, text, tool, model } = message
  if (role === 'tool' || (tool && text.trim() === ''))
    return (
      <details className="message tool">
        <summary>
          <time className="quiet">{clockWords(at)}</time>
          <b>{shown(tool?.name ?? 'tool')}</b>
          {tool?.error === undefined ? null : <span className="error">✗ failed</span>}
          <span className="quiet cut">{shown(glance(tool?.input))}</span>
        </summary>
        <Payload value={parts(tool)} />
      </details>
    )
  const who = role === 'user' ? 'You' : role === 'assistant' ? agent : role
  return (
    <article className={`message ${role}`}>
      <header className="quiet">
        <b>{shown(who)}</b> {clockWords(at)}
        {model === undefined ? '' : ` · ${shown(model)}`}
      </header>
      {blocksIn(text).map((block, n) =>
        block.kind === 'code' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
          <pre key={n} className="box" data-language={block.language}>
            {shown(block.text)}
          </pre>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
          <p key={n}>{shown(block.text)}</p>
        ),
      )}
      {tool ? <Payload value={parts(tool)} /> : null}
    </article>
  )
})

function parts(tool: TranscriptMessage['tool']): Record<string, unknown> {
  const { input, result, error } = tool ?? {}
  const cut = (text: string) =>
    text.length > TOOL_CHARS
      ? `${text.slice(0, TOOL_CHARS)}\n… ${text.length - TOOL_CHARS} more characters`
      : text
  return {
    ...(input === undefined ? {} : { input }),
    ...(result === undefined ? {} : { result: cut(result) }),
    ...(error === undefined ? {} : { error: cut(error) }),
  }
}

function glance(input: unknown): string {
  if (typeof input === 'string') return input.slice(0, 200)
  if (typeof input !== 'object' || input === null) return ''
  const first = Object.values(input).find((value) => typeof value === 'string')
  return typeof first === 'string' ? first.slice(0, 200) : ''
}
