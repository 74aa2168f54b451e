/** `/metrics` of the real daemon, read by the real Prometheus; the dashboard's queries are asked there. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import {
  gantry,
  makeHome,
  ROOT,
  type RunningDaemon,
  sendFrame,
  sendFrames,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { processes } from '../litter.ts'
import { rounds } from '../long.ts'
import { prometheusPrograms } from '../prometheus.ts'

setDefaultTimeout(120_000)

const MAX_SERIES = 500 // with every agent and type that is known
const NAMES = rounds(1_200, 2_000) // more of each kind than there may be series
const RULES = `rules:
  - { id: no-rm, on: PreToolUse, tool: Bash, match: { tool.input.command: 'rm' }, decision: deny, reason: never }
`
const { prometheus, promtool } = prometheusPrograms()
const home = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  mkdirSync(home.rules, { recursive: true })
  writeFileSync(join(home.rules, 'first.yaml'), RULES)
  daemon = await startDaemon(home)
})
afterAll(async () => {
  await daemon.kill('SIGTERM')
})

const address = () => (JSON.parse(readFileSync(home.http, 'utf8')) as { url: string }).url
const read = (file: string) => readFileSync(file, 'utf8').trim()
const ask = (path: string, token?: string, init: RequestInit = {}) =>
  fetch(`${address()}${path}`, {
    ...init,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...init.headers },
  })
const scrape = async () => (await ask('/metrics', read(home.token))).text()

/** The value of one line. */
function sampleOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const hook = (hook_event_name: string, fields: object = {}, agent = 'claude') =>
  sendFrame(home, { agent, payload: JSON.stringify({ session_id: 's1', hook_event_name, ...fields }) })

describe('who may read', () => {
  test('the token of hooks, or one that opens only this', async () => {
    const { exit, stdout } = await gantry(home, 'metrics', '--scrape-config')
    expect(exit).toBe(0)
    expect(stdout).toContain(JSON.stringify(home.metricsToken))
    expect(statSync(home.metricsToken).mode & 0o777).toBe(0o600)
    const own = read(home.metricsToken)
    expect((await ask('/metrics')).status).toBe(401)
    expect((await ask('/metrics', 'x'.repeat(43))).status).toBe(401)
    const good = await ask('/metrics', own)
    expect([good.status, good.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    expect((await ask('/metrics', read(home.token))).status).toBe(200)
    for (const path of ['/sessions', '/search?q=x', '/bus/events', '/health', '/nothing'])
      expect((await ask(path, own)).status, path).toBe(401)
    const posted = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
    for (const path of ['/hooks/claude', '/metrics']) expect((await ask(path, own, posted)).status).toBe(401)
    expect((await ask('/metrics', own, { headers: { host: 'evil.example' } })).status).toBe(403)
    expect((await ask('/metrics', own, { headers: { origin: 'http://evil.example' } })).status).toBe(403)
    expect((await gantry(home, 'metrics', '--scrape-config')).stdout).toBe(stdout)
    expect(read(home.metricsToken)).toBe(own)
  })
})

describe('what is told', () => {
  test('is what promtool calls good, and agrees with what happened', async () => {
    await hook('SessionStart', { source: 'startup' })
    await hook('UserPromptSubmit', { prompt: 'x' })
    for (let n = 0; n < 3; n++)
      await hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'rm x' } })
    await hook('StatusLine', { cost: { total_cost_usd: 1.25 } })
    const text = await until(async () => {
      const now = await scrape()
      return sampleOf(now, 'gantry_cost_usd_total{agent="claude"}') === 1.25 ? now : undefined
    }, 'the cost')
    const checked = Bun.spawnSync([promtool, 'check', 'metrics'], { stdin: Buffer.from(text) })
    expect({ exit: checked.exitCode, out: `${checked.stdout}${checked.stderr}` }).toEqual({
      exit: 0,
      out: '',
    })
    expect(sampleOf(text, 'gantry_events_total{agent="claude",type="PreToolUse"}')).toBe(3)
    expect(sampleOf(text, 'gantry_decisions_total{agent="claude",decision="deny"}')).toBe(3)
    expect(sampleOf(text, 'gantry_sessions{agent="claude",phase="working"}')).toBe(1)
    const counted = sampleOf(text, 'gantry_hook_duration_seconds_count{asked="no"}') ?? 0
    expect(counted).toBe(6)
    expect(sampleOf(text, 'gantry_hook_duration_seconds_bucket{asked="no",le="+Inf"}')).toBe(counted)
    const sum = sampleOf(text, 'gantry_hook_duration_seconds_sum{asked="no"}') ?? 0
    expect(sum).toBeGreaterThan(0)
    expect(sum).toBeLessThan(60)
    const status = await call(home, 'status')
    expect(sampleOf(text, 'gantry_journal_events')).toBeLessThanOrEqual(status.events)
    expect(sampleOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10e6)
    expect((await gantry(home, 'metrics')).stdout).toContain(
      'gantry_decisions_total{agent="claude",decision="deny"} 3',
    )
  })

  test('names that hostile hooks invent are one', async () => {
    const names = Array.from({ length: NAMES }, (_, n) => `Evil"\\\n${n}{}`)
    await sendFrames(
      home,
      names.map((hook_event_name, n) => ({
        agent: n % 2 ? 'claude' : `agent-${n}`,
        payload: JSON.stringify({ session_id: `evil-${n}`, hook_event_name }),
      })),
    )
    const text = await scrape()
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(series.length).toBeLessThan(MAX_SERIES)
    expect(text).not.toContain('Evil')
    expect(text).not.toContain('agent-')
    expect(sampleOf(text, 'gantry_events_total{agent="claude",type="other"}')).toBe(NAMES / 2)
    expect(sampleOf(text, 'gantry_events_total{agent="other",type="other"}')).toBe(NAMES / 2)
    expect(Bun.spawnSync([promtool, 'check', 'metrics'], { stdin: Buffer.from(text) }).exitCode).toBe(0)
  })
})

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

/** Nothing has happened that these count. */
const EMPTY = [
  'gantry_decisions_missed_total',
  'gantry_bus_lag_messages',
  'gantry_bus_lag_seconds',
  'gantry_cost_usd_total',
]

describe('a real Prometheus', () => {
  test('scrapes it by the printed configuration, and knows every query of the dashboard', async () => {
    const { stdout } = await gantry(home, 'metrics', '--scrape-config')
    const dir = tempDir()
    const config = join(dir, 'prometheus.yml')
    writeFileSync(
      config,
      stdout.replace('scrape_interval: 15s', 'scrape_interval: 500ms\n    scrape_timeout: 500ms'),
    )
    const checked = Bun.spawnSync([promtool, 'check', 'config', config])
    expect(`${checked.exitCode} ${checked.stderr}`).toBe('0 ')
    const port = await freePort()
    const server = Bun.spawn(
      [
        prometheus,
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(dir, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { cwd: dir, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
    )
    processes.add(server)
    try {
      const query = async (expr: string) => {
        const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expr)}`
        const answer = (await (await fetch(url)).json()) as {
          status: string
          error?: string
          data?: { result: unknown[] }
        }
        expect(`${expr}: ${answer.error ?? answer.status}`).toBe(`${expr}: success`)
        return answer.data?.result ?? []
      }
      const isUp = () => query('sum_over_time(up{job="gantry"}[1m]) > 3').catch(() => [])
      await until(async () => (await isUp()).length > 0, 'four scrapes', 60_000)

      const text = await scrape()
      const exported = new Set(
        [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
          type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : name,
        ),
      )
      const { panels } = JSON.parse(
        readFileSync(join(ROOT, 'examples/grafana/gantry.json'), 'utf8'),
      ) as Dashboard
      const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
      expect(queries.length).toBeGreaterThan(15)
      for (const expr of queries) {
        const names = expr.match(/\b(?:gantry|process)_\w+/g) ?? []
        expect(names.length, expr).toBeGreaterThan(0)
        for (const name of names) expect(exported, expr).toContain(name)
        const found = await query(expr.replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h'))
        if (!names.some((name) => EMPTY.includes(name))) expect(found.length, expr).toBeGreaterThan(0)
      }
    } finally {
      server.kill()
      await server.exited
      processes.delete(server)
    }
  })
})

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
