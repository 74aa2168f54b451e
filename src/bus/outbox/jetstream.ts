/**
 * The streams on a NATS server: made with the settings that consumers rely on, left alone where somebody made them with
 * others, and read back to see what is in them.
 */
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import { KEPT } from '../../store/kept.ts'
import type { Connection } from '../nats/index.ts'
import { PREFIX, type StreamName } from '../streams/index.ts'

const SCAN_PAGE = 1_000 // headers alone: some 200 KB
const SCAN_WAIT_MS = 5_000
const CONSUMER_IDLE_NS = 30_000_000_000 // a scan that was cut off leaves nothing behind

/** `limits`: how much the stream keeps, if not as much as this host does. */
export function streamSettings(
  name: StreamName,
  replicas: number,
  limits: { max_msgs: number; max_bytes: number } = {
    max_msgs: KEPT.streamMessages,
    max_bytes: KEPT.streamBytes,
  },
): Partial<StreamConfig> & { name: string } {
  return {
    name,
    subjects: [`${PREFIX[name]}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    ...limits,
    num_replicas: replicas,
  }
}

/** The stream as it is there; made if it is not. */
export async function ensureStream(
  { jsm }: Connection,
  name: StreamName,
  replicas: number,
): Promise<StreamInfo> {
  const known = await findStream(jsm, name)
  if (known) return known
  try {
    return await jsm.streams.add(streamSettings(name, replicas))
  } catch (error) {
    const other = await findStream(jsm, name) // somebody else was quicker, and had other settings in mind
    if (other) return other
    throw error
  }
}

export async function findStream(jsm: JetStreamManager, name: StreamName): Promise<StreamInfo | undefined> {
  try {
    return await jsm.streams.info(name)
  } catch (error) {
    if (error instanceof Error && error.name === 'StreamNotFoundError') return undefined
    throw error
  }
}

/** How a stream that somebody else made differs from what consumers rely on. */
export function differences(config: StreamConfig, name: StreamName, replicas: number): string[] {
  const wanted = streamSettings(name, replicas)
  const keys = ['storage', 'retention', 'discard', 'max_msgs', 'max_bytes', 'num_replicas'] as const
  const found = keys
    .filter((key) => config[key] !== wanted[key] && !isRoomier(key, config))
    .map((key) => `${key} is ${config[key]}, not ${wanted[key]}`)
  const subjects = wanted.subjects ?? []
  if (!subjects.every((subject) => config.subjects?.includes(subject))) {
    found.push(`subjects are ${config.subjects?.join(', ') || 'none'}, not ${subjects.join(', ')}`)
  }
  if (config.sealed) found.push('it is sealed')
  if (config.max_age > 0) found.push(`max_age is ${config.max_age / 1e9} s, not unlimited`)
  for (const key of ['max_msg_size', 'max_msgs_per_subject'] as const)
    if (config[key] > 0) found.push(`${key} is ${config[key]}, not unlimited`)
  if (config.no_ack) found.push('it acknowledges nothing, so gantry cannot know what arrived')
  // The sources of a fleet's hub are the streams of its other hosts.
  if (config.mirror || config.sources?.some(({ external }) => !external))
    found.push('it takes messages of other streams, too')
  return found
}

/** A host of a fleet keeps more, for a hub that is away. */
function isRoomier(key: string, config: StreamConfig): boolean {
  const { max_msgs, max_bytes } = config
  return key === 'max_msgs'
    ? max_msgs > KEPT.streamMessages
    : key === 'max_bytes' && max_bytes > KEPT.streamBytes
}

/** The ids of all messages from one sequence of the stream to another, both included. */
export async function idsIn(
  { js, jsm, ended }: Connection,
  name: StreamName,
  from: number,
  to: number,
): Promise<Set<string>> {
  const ids = new Set<string>()
  if (from > to) return ids
  const { name: consumer } = await jsm.consumers.add(name, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, from),
    ack_policy: AckPolicy.None,
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: CONSUMER_IDLE_NS,
  })
  try {
    const reader = await js.consumers.get(name, consumer)
    for (let last = from - 1; last < to && !ended.aborted; ) {
      const before = last
      for await (const message of await reader.fetch({ max_messages: SCAN_PAGE, expires: SCAN_WAIT_MS })) {
        last = message.seq
        const id = message.headers?.get('Nats-Msg-Id')
        if (id) ids.add(id)
        if (last >= to || message.info.pending === 0) {
          last = to // what was at the end is deleted
          break
        }
      }
      if (last === before) break // nothing left to come
    }
  } finally {
    await jsm.consumers.delete(name, consumer).catch(() => {}) // it goes by itself soon
  }
  return ids
}
