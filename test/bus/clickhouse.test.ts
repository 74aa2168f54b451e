/** The example that copies the hub's stream into ClickHouse, against a stand-in that records what a server would get. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { jetstream } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import type { Subprocess } from 'bun'
import { ROOT, until } from '../kit.ts'
import { processes } from '../litter.ts'
import { managerOf, startServer, type TestServer } from '../nats-kit.ts'

const LONG_MS = 120_000
const EXAMPLE = join(ROOT, 'examples/clickhouse')

interface Row {
  readonly seq: number
  readonly [column: string]: unknown
}

let server: TestServer
let failures = 0
/** By the token of their batch, as a table with a deduplication window keeps them. */
const batches = new Map<string, Row[]>()
const rows = () => [...batches.values()].flat()
const standIn = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    const { searchParams } = new URL(request.url)
    const body = await request.text()
    const query = searchParams.get('query') ?? body
    if (query.startsWith('SELECT max(seq)')) {
      expect(searchParams.get('param_stream')).toBe('HOOK_EVENTS')
      return new Response(`${Math.max(0, ...rows().map(({ seq }) => seq))}\n`)
    }
    expect(query).toBe('INSERT INTO gantry.events FORMAT JSONEachRow')
    const token = searchParams.get('insert_deduplication_token') ?? ''
    const isNew = !batches.has(token)
    if (isNew)
      batches.set(
        token,
        body.split('\n').map((line) => JSON.parse(line) as Row),
      )
    // It has the rows, and the answer is lost.
    if (isNew && failures++ === 0) return new Response('memory limit exceeded', { status: 500 })
    return new Response('')
  },
})

beforeAll(async () => {
  server = await startServer()
  const { jsm } = await managerOf(server)
  await jsm.streams.add({ name: 'HOOK_EVENTS', subjects: ['hooks.>'] })
})
afterAll(() => void standIn.stop(true))

function consume(): Subprocess {
  const child = Bun.spawn([process.execPath, join(EXAMPLE, 'consume.ts'), 'HOOK_EVENTS'], {
    env: {
      PATH: process.env.PATH ?? '',
      HUB_URL: `127.0.0.1:${server.port}`,
      CLICKHOUSE_URL: `http://127.0.0.1:${standIn.port}`,
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  processes.add(child)
  return child
}

async function publish(from: number, to: number): Promise<void> {
  const { nc } = await managerOf(server)
  const js = jetstream(nc)
  for (let n = from; n < to; n++) {
    const about = headers()
    for (const [name, value] of Object.entries({ Host: 'build-1', Agent: 'claude', Session: `s${n % 3}` }))
      about.set(`Gantry-${name}`, value)
    const payload =
      n === 1
        ? 'no json'
        : JSON.stringify({ tool_name: 'Bash', tool_input: { command: `echo ${n}` }, cwd: '/w' })
    await js.publish('hooks.build-1.PreToolUse', payload, { msgID: `e${n}:h`, headers: about })
  }
}

test(
  'each message is a row once, whatever happens to the answer, the program and the server',
  async () => {
    await publish(0, 20)
    const first = consume()
    await until(() => rows().length >= 20, 'the first rows')
    await publish(20, 40)
    await until(() => rows().length >= 40, 'more rows')
    first.kill('SIGKILL')
    await first.exited
    await publish(40, 60)
    const second = consume()
    await until(() => rows().length >= 60, 'the rest')
    second.kill('SIGKILL')
    expect(failures).toBeGreaterThan(1)
    expect(
      rows()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(Array.from({ length: 60 }, (_, n) => `e${n}`).sort())
    expect(rows()[0]).toMatchObject({
      stream: 'HOOK_EVENTS',
      seq: 1,
      host: 'build-1',
      agent: 'claude',
      type: 'PreToolUse',
      session: 's0',
      tool: 'Bash',
      command: 'echo 0',
      cwd: '/w',
      is_failure: false,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(rows()[1]).toMatchObject({ tool: '', command: '', payload: 'no json' })
  },
  LONG_MS,
)

test('its rows have just the columns of the table', () => {
  const sql = readFileSync(join(EXAMPLE, 'table.sql'), 'utf8')
  const columns = [...sql.matchAll(/^ {4}(\w+) +\S/gm)].map(([, name]) => name)
  expect(Object.keys(rows()[0] ?? {}).sort()).toEqual([...columns].sort() as string[])
})
