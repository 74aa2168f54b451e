/** The bench runs, prints what its readers rely on, and the figures that must hold hold with room for noise. */
import { expect, test } from 'bun:test'
import { ROOT } from './kit.ts'

interface Figures {
  readonly name: string
  readonly p50: number
  readonly ratio: number
  readonly floor: number
  readonly [key: string]: unknown
}

test('bench --quick --json has every case with its floor', async () => {
  const child = Bun.spawn([process.execPath, 'bench/main.ts', '--quick', '--json'], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const { machine, results } = JSON.parse(await new Response(child.stdout).text()) as {
    machine: Record<string, unknown>
    results: Figures[]
  }
  expect(machine).toHaveProperty('cores')
  const byName = new Map(results.map((result) => [result.name, result]))
  for (const name of ['hook-native', 'hook-ts', 'hook-http', 'pipeline-throughput', 'pipeline-latency']) {
    expect(byName.get(name)).toMatchObject({ unit: expect.any(String), n: expect.any(Number) })
  }
  const others = [
    'tmux-status',
    'journal-last100-1m',
    'subscribe-fanout',
    'to-jetstream',
    'publish-rate',
    'hook-p99-while-draining',
    'fleet-20-hosts',
    'search-1m',
    'tui-start',
  ]
  for (const name of [
    'daemon-start',
    'daemon-start-unconfigured',
    'first-hook',
    'memory-1000-sessions',
    ...others,
  ]) {
    expect(byName.get(name)?.floor).toBeGreaterThan(0)
  }
  // A quick run on a busy machine is no verdict on speed; these only catch a hook path that broke.
  expect(byName.get('hook-native')?.timesFasterThanNode).toBeGreaterThan(5)
  expect(byName.get('memory-1000-sessions')?.p50).toBeLessThan(120)
}, 240_000)

test('what follows from events keeps up with them, and is measured beside a daemon that only stores', async () => {
  const child = Bun.spawn([process.execPath, 'bench/main.ts', '--quick', '--json', 'insight-p99'], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const { results } = JSON.parse(await new Response(child.stdout).text()) as { results: Figures[] }
  // It fails by itself when schemas, contexts or the index do not come to the end of the journal.
  expect(results).toMatchObject([{ name: 'insight-p99', caughtUpS: expect.any(Number) }])
  expect(results[0]?.ratio).toBeGreaterThan(0)
  expect(results[0]?.n).toBeGreaterThanOrEqual(3 * 2_000)
}, 240_000)
