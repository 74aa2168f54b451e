/**
 * A sidecar as the event schema of the bus describes it, written against NATS alone: nothing of gantry is imported here.
 * It finds the server by its file, keeps a durable consumer, and makes the state of an agent out of the events.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'

export interface NatsInfo {
  readonly url: string
  readonly port: number
  readonly token: string
  readonly jetstream: boolean
  readonly stream: string
  readonly subjects: string
}

export interface Heard {
  readonly seq: number
  readonly subject: string
  readonly text: string
  readonly deliveries: number
}

/** The types of the document. The registry is open: whoever reads leaves out what it does not know. */
export const TYPES = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'PreCompact',
  'SubagentStart',
  'SubagentStop',
  'Notification',
  'SessionEnd',
]

export function discover(beadsDir: string): NatsInfo {
  return JSON.parse(readFileSync(join(beadsDir, '.runtime/nats-info.json'), 'utf8')) as NatsInfo
}

export function signIn({ url, token }: NatsInfo): Promise<NatsConnection> {
  return connect({ servers: url, token, reconnect: false })
}

export interface Sidecar {
  readonly heard: Heard[]
  leave(): Promise<void>
}

export interface SidecarOptions {
  readonly id: string
  readonly deliver: 'new' | 'all'
  /** Whether this message is acknowledged; all are when left out. */
  readonly acks?: (message: Heard) => boolean
  readonly ackWaitMs?: number
}

/** The durable consumer `coop-<id>`, made if it is not there, read until it leaves. */
export async function attach(
  info: NatsInfo,
  { id, deliver, acks = () => true, ackWaitMs = 30_000 }: SidecarOptions,
): Promise<Sidecar> {
  const nc = await signIn(info)
  const jsm = await jetstreamManager(nc)
  const name = `coop-${id}`
  // After a kill, the address may be known a moment before the server has its streams.
  const hasStream = () => jsm.streams.info(info.stream).catch(() => undefined)
  for (let tries = 300; tries > 0 && !(await hasStream()); tries--) await Bun.sleep(100)
  const known = await jsm.consumers.info(info.stream, name).catch(() => undefined)
  if (!known)
    await jsm.consumers.add(info.stream, {
      durable_name: name,
      filter_subject: info.subjects,
      deliver_policy: deliver === 'new' ? DeliverPolicy.New : DeliverPolicy.All,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ackWaitMs * 1_000_000,
    })
  const heard: Heard[] = []
  const consumer = await jetstream(nc).consumers.get(info.stream, name)
  const messages: ConsumerMessages = await consumer.consume({
    callback: (message: JsMsg) => {
      const { seq, subject, info: about } = message
      const one = { seq, subject, text: message.string(), deliveries: about.deliveryCount }
      if (TYPES.includes(subject.split('.').at(-1) ?? '')) heard.push(one)
      if (acks(one)) message.ack()
    },
  })
  return {
    heard,
    leave: async () => {
      await nc.flush() // acknowledgements first
      await messages.close()
      await nc.close()
    },
  }
}

export type AgentState = 'starting' | 'working' | 'ask_user' | 'plan_prompt' | 'waiting_for_input' | 'exited'

const GRACE_MS = 60_000

/** The mapping that the document suggests; the clock is the caller's. */
export class StateOf {
  #state: AgentState | undefined
  #stoppedAt: number | undefined

  hear(event: { hook_event_name: string; tool_name?: string }, now: number): void {
    const next = stateAfter(event)
    if (event.hook_event_name === 'Stop') this.#stoppedAt = now
    else if (next) this.#stoppedAt = undefined
    this.#state = next ?? this.#state
  }

  at(now: number): AgentState | undefined {
    if (this.#stoppedAt === undefined || now - this.#stoppedAt < GRACE_MS) return this.#state
    return 'waiting_for_input'
  }
}

function stateAfter(event: { hook_event_name: string; tool_name?: string }): AgentState | undefined {
  switch (event.hook_event_name) {
    case 'SessionStart':
      return 'starting'
    case 'PreToolUse':
      if (event.tool_name === 'AskUserQuestion') return 'ask_user'
      return event.tool_name === 'EnterPlanMode' ? 'plan_prompt' : 'working'
    case 'PostToolUse':
    case 'SubagentStart':
      return 'working'
    case 'SessionEnd':
      return 'exited'
    default:
      return undefined
  }
}
