/**
 * Copies a stream of the hub into ClickHouse, message for message. The table itself is the checkpoint: the program asks it for
 * the last sequence, and goes on after that. A batch whose answer got lost is sent again with the same token, and counts once.
 *
 *   HUB_URL=127.0.0.1:4223 HUB_PASSWORD_FILE=hub/admin.password CLICKHOUSE_URL=http://127.0.0.1:8123 bun consume.ts HOOK_EVENTS
 *
 * Run one for each stream: HOOK_EVENTS, SESSION_EVENTS, DECISION_EVENTS, GANTRY_EVENTS.
 */
import { readFileSync } from 'node:fs'
import { AckPolicy, DeliverPolicy, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'

const BATCH = 5_000
const WAIT_MS = 1_000 // for a batch that does not fill
const RETRY_MS = 2_000

const stream = process.argv[2] ?? 'HOOK_EVENTS'
const clickhouse = process.env.CLICKHOUSE_URL ?? 'http://127.0.0.1:8123'
const table = process.env.CLICKHOUSE_TABLE ?? 'gantry.events'
const secret = (name: string) => {
  const file = process.env[name]
  return file ? readFileSync(file, 'utf8').trim() : undefined
}

const nc = await connect({
  servers: process.env.HUB_URL ?? '127.0.0.1:4223',
  user: process.env.HUB_USER ?? 'admin',
  pass: secret('HUB_PASSWORD_FILE') ?? '',
  maxReconnectAttempts: -1,
})
for (;;) {
  try {
    await copy()
  } catch (error) {
    console.error(
      `${stream}: ${error instanceof Error ? error.message : error}; again in ${RETRY_MS / 1000} s`,
    )
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

async function copy(): Promise<never> {
  let last = await lastStored()
  const jsm = await jetstreamManager(nc)
  const { name } = await jsm.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: last + 1,
    mem_storage: true,
    inactive_threshold: 60_000_000_000,
  })
  const consumer = await jetstream(nc).consumers.get(stream, name)
  for (;;) {
    const rows: string[] = []
    let [first, end] = [0, last]
    for await (const message of await consumer.fetch({ max_messages: BATCH, expires: WAIT_MS })) {
      if (first === 0) first = message.seq
      end = message.seq
      rows.push(JSON.stringify(rowOf(message)))
    }
    if (rows.length === 0)
      await consumer.info() // a consumer that is gone does not tell by itself
    else await insert(rows, `${stream}:${first}-${end}`)
    last = end
  }
}

/** Until it is in: a batch must not be made anew, or its token would be another one. */
async function insert(rows: readonly string[], token: string): Promise<void> {
  const query = `INSERT INTO ${table} FORMAT JSONEachRow`
  const settings = { query, insert_deduplication_token: token, date_time_input_format: 'best_effort' }
  for (;;) {
    try {
      await ask(settings, rows.join('\n'))
      console.error(`${token}: ${rows.length} rows`)
      return
    } catch (error) {
      console.error(`${token}: ${error instanceof Error ? error.message : error}`)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

async function lastStored(): Promise<number> {
  const query = `SELECT max(seq) FROM ${table} WHERE stream = {stream:String} FORMAT TabSeparated`
  return Number((await ask({ query, param_stream: stream })).trim()) || 0
}

async function ask(settings: Record<string, string>, body?: string): Promise<string> {
  const { query = '', ...rest } = settings
  const user = process.env.CLICKHOUSE_USER
  const headers: Record<string, string> = user
    ? { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': secret('CLICKHOUSE_PASSWORD_FILE') ?? '' }
    : {}
  const url = `${clickhouse}/?${new URLSearchParams(body === undefined ? rest : { ...rest, query })}`
  const answer = await fetch(url, { method: 'POST', headers, body: body ?? query })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`ClickHouse says ${answer.status}: ${text.slice(0, 300)}`)
  return text
}

/** A message as a row of the table; texts that are not there are empty. */
function rowOf(message: JsMsg): Record<string, unknown> {
  const header = (name: string) => message.headers?.get(name) ?? ''
  const payload = new TextDecoder().decode(message.data)
  const fields = objectOf(payload)
  const input = asObject(fields.tool_input)
  const type = message.subject.slice(message.subject.lastIndexOf('.') + 1)
  return {
    stream,
    seq: message.seq,
    at: new Date(Number(message.timestampNanos / 1_000_000n)).toISOString(),
    host: header('Gantry-Host'),
    agent: header('Gantry-Agent'),
    type,
    native: header('Gantry-Native-Event'),
    session: header('Gantry-Session'),
    id: header('Nats-Msg-Id').replace(/:h$/, ''), // the copy under the host's name
    tool: text(fields.tool_name ?? fields.tool),
    command: text(input.command),
    file: text(input.file_path ?? input.path),
    cwd: text(fields.cwd),
    prompt: text(fields.prompt),
    error: text(fields.error),
    is_failure: type.endsWith('Failure'),
    decision: text(fields.decision),
    payload,
  }
}

function objectOf(json: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(json))
  } catch {
    return {} // an agent may send anything
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
