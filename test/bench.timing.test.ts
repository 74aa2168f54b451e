/** The bench runs, prints what its readers rely on, and the figures that must hold hold with room for noise. */
import { expect, test } from 'bun:test'
import { ROOT } from './kit.ts'
import { isLong, limitMs } from './long.ts'

interface Figures {
  readonly name: string
  readonly p50: number
  readonly ratio: number
  readonly floor: number
  readonly [key: string]: unknown
}

interface Bench {
  readonly machine: Record<string, unknown>
  readonly results: readonly Figures[]
}

async function bench(...cases: string[]): Promise<Bench> {
  const argv = [process.execPath, 'bench/main.ts', '--quick', '--json', ...cases]
  const child = Bun.spawn(argv, { cwd: ROOT, stdout: 'pipe', stderr: 'ignore' })
  return JSON.parse(await new Response(child.stdout).text()) as Bench
}

const SHORT = ['hook-native', 'pipeline-latency', 'daemon-start', 'tmux-status'] as const
const HOOKS = ['hook-native', 'hook-ts', 'hook-http', 'pipeline-throughput', 'pipeline-latency']
const OTHERS = [
  'daemon-start',
  'daemon-start-unconfigured',
  'first-hook',
  'memory-1000-sessions',
  'tmux-status',
  'journal-last100-1m',
  'subscribe-fanout',
  'to-jetstream',
  'publish-rate',
  'hook-p99-while-draining',
  'fleet-20-hosts',
  'fleet-20-leaves',
  'search-1m',
  'handler-pass',
  'handler-deny',
  'handler-spin-next',
  'rules-replay',
  'tui-start',
]

test(
  'each case has figures, and a floor that was measured in the same run',
  async () => {
    const { machine, results } = await bench(...(isLong ? [] : SHORT))
    expect(machine).toHaveProperty('cores')
    const byName = new Map(results.map((result) => [result.name, result]))
    for (const name of isLong ? [...HOOKS, ...OTHERS] : SHORT)
      expect(byName.get(name)).toMatchObject({ unit: expect.any(String), n: expect.any(Number) })
    for (const name of isLong ? OTHERS : SHORT) expect(byName.get(name)?.floor).toBeGreaterThan(0)
    // A quick run on a busy machine is no verdict on speed; these only catch a hook path that broke.
    expect(byName.get('hook-native')?.timesFasterThanNode).toBeGreaterThan(5)
    if (isLong) expect(byName.get('memory-1000-sessions')?.p50).toBeLessThan(120)
  },
  limitMs(1, 480_000),
)

if (isLong)
  test(
    'what follows from events keeps up with them, and is measured beside a daemon that only stores',
    async () => {
      const { results } = await bench('insight-p99')
      // It fails by itself when schemas, contexts or the index do not come to the end of the journal.
      expect(results).toMatchObject([{ name: 'insight-p99', caughtUpS: expect.any(Number) }])
      expect(results[0]?.ratio).toBeGreaterThan(0)
      expect(results[0]?.n).toBeGreaterThanOrEqual(3 * 2_000)
    },
    limitMs(1, 480_000),
  )
