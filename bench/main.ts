/**
 * npm run bench [-- --json] [--quick] [name…]
 *
 * Every figure is measured beside its floor in the same run: shared machines are noisy, but ratios are stable.
 */
import { arch, cpus, loadavg, platform, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { messageOf } from '../src/core/errors.ts'
import { subscribeFanout } from './cases/bus.ts'
import { claudeToolCall } from './cases/claude.ts'
import { daemonStart, memory1000Sessions } from './cases/daemon.ts'
import { decide } from './cases/decide.ts'
import { hookWhileDraining } from './cases/draining.ts'
import { fleet20 } from './cases/fleet.ts'
import { fleetLeaves } from './cases/fleet-leaves.ts'
import { handler } from './cases/handler.ts'
import { hookHttp, hookNative, hookTs } from './cases/hooks.ts'
import { insightP99, summariesP99 } from './cases/insight.ts'
import { journalLast100 } from './cases/journal.ts'
import { longJournal } from './cases/long-journal.ts'
import { publishRate, toJetstream } from './cases/nats.ts'
import { page } from './cases/page.ts'
import { pipelineLatency, pipelineThroughput } from './cases/pipeline.ts'
import { rulesReplay } from './cases/rules-replay.ts'
import { schemaLearn } from './cases/schema.ts'
import { search1m } from './cases/search.ts'
import { tmuxStatus } from './cases/tmux.ts'
import { tui } from './cases/tui.ts'
import type { Result } from './measure.ts'
import { openStage, type Stage } from './stage.ts'

const CASES: Readonly<Record<string, (stage: Stage) => Promise<Result[]>>> = {
  'hook-native': hookNative,
  'hook-ts': hookTs,
  'hook-http': hookHttp,
  'pipeline-throughput': pipelineThroughput,
  'pipeline-latency': pipelineLatency,
  'daemon-start': daemonStart,
  'memory-1000-sessions': memory1000Sessions,
  'journal-last100-1m': journalLast100,
  'search-1m': search1m,
  'long-journal': longJournal,
  decide,
  handler,
  'rules-replay': rulesReplay,
  'schema-learn': schemaLearn,
  'insight-p99': insightP99,
  'summaries-p99': summariesP99,
  'subscribe-fanout': subscribeFanout,
  'to-jetstream': toJetstream,
  'publish-rate': publishRate,
  'hook-p99-while-draining': hookWhileDraining,
  'fleet-20-hosts': fleet20,
  'fleet-20-leaves': fleetLeaves,
  tui,
  page,
  'tmux-status': tmuxStatus,
  'claude-tool-call': claudeToolCall,
}
const QUICK_EFFORT = 0.1
/** Two need a real agent from npm and a browser, the others take long; with --quick they run only if named. */
const NOT_QUICK = ['claude-tool-call', 'long-journal', 'insight-p99', 'summaries-p99', 'page']

const HELP = `npm run bench [-- options] [cases …]

  --json    the figures for programs
  --quick   a tenth of the work, without the longest cases

cases: ${Object.keys(CASES).join(', ')}

  npm run bench -- --quick hook-native pipeline-latency`

const { values, positionals } = parsed()
if (values.help) {
  console.log(HELP)
  process.exit(0)
}
const unknown = positionals.filter((name) => !(name in CASES))
if (unknown.length > 0) {
  console.error(`bench: no case ${unknown.join(', ')}. There are: ${Object.keys(CASES).join(', ')}`)
  process.exit(2)
}

delete process.env.NODE_EXTRA_CA_CERTS // Node reads that file at every start, which would flatter gantry
const stage = openStage(values.quick ? QUICK_EFFORT : 1)
const results: Result[] = []
let leaving: Promise<never> | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    leaving ??= leave()
  })
try {
  for (const [name, measure] of Object.entries(CASES)) {
    if (positionals.length > 0 ? !positionals.includes(name) : values.quick && NOT_QUICK.includes(name))
      continue
    process.stderr.write(`… ${name}\n`)
    const found = await measure(stage)
    results.push(...found)
    if (!values.json) for (const result of found) console.log(lineOf(result))
  }
} catch (error) {
  if (leaving) await leaving // its daemons were ended on purpose
  throw error
} finally {
  await stage.close()
}
if (values.json) console.log(JSON.stringify({ machine: machine(), results }, null, 2))

function parsed() {
  try {
    return parseArgs({
      options: {
        json: { type: 'boolean' },
        quick: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    console.error(`bench: ${messageOf(error)}\n\n${HELP}`)
    process.exit(2)
  }
}

/** Leaves nothing running, however the bench ends. */
async function leave(): Promise<never> {
  await stage.close()
  process.exit(130)
}

function lineOf(result: Result): string {
  const { name, unit, p50, p95, p99, n: _, floor, ratio, against, ...more } = result
  const figures = [p50, p95, p99].map((value) => String(value).padStart(9)).join('')
  const extra = Object.entries(more).map(([key, value]) => `, ${key} ${JSON.stringify(value)}`)
  return `${name.padEnd(22)}${figures} ${unit.padEnd(9)} ${ratio.toFixed(2)}x of ${floor} (${against})${extra.join('')}`
}

function machine(): Record<string, unknown> {
  const cores = cpus()
  return {
    platform: platform(),
    arch: arch(),
    cores: cores.length,
    cpu: cores[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    bun: Bun.version,
    quick: values.quick === true,
    load: loadavg().map((one) => Math.round(one * 10) / 10), // what else ran: above the number of cores, times are too long
  }
}
