/**
 * Tells a channel about every session that begins to wait for a person. Here the channel is stdout; put your own in
 * `post`. It has a name with the daemon, so nothing is missed while it is not running; what it posted but could not
 * acknowledge is posted again.
 *
 *   ./node_modules/.bin/bun examples/notifier.ts
 */
import { connect } from 'gantry/sdk'

interface SessionMessage {
  readonly name: string
  readonly agent: string
  readonly attention: readonly { readonly kind: string; readonly reason: string }[]
}

const leaving = new AbortController()
process.once('SIGINT', () => leaving.abort())
process.once('SIGTERM', () => leaving.abort())

const gantry = await connect({ wait: true, signal: leaving.signal })
const waiting = { stream: 'SESSION_EVENTS', filter: 'blocked', deliver: 'all' } as const
for await (const message of gantry.consume('notifier', waiting)) {
  const { name, agent, attention } = message.json() as SessionMessage
  await post(`:raised_hand: *${name}* (${agent}) waits: ${attention.map(({ reason }) => reason).join(', ')}`)
  message.ack()
}

async function post(text: string): Promise<void> {
  console.log(JSON.stringify({ channel: '#agents', text }))
}
