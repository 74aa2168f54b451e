/**
 * The cost of hooks inside a real Claude Code: the gap between two requests to the model, in which one Bash call runs.
 * Measured without hooks, with gantry's hooks on PreToolUse and PostToolUse as installed, and with a Node script there.
 * Runs itself again in a namespace without network, as for every real agent.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentProgram, CLAUDE } from '../../test/agents/cache.ts'
import { claude } from '../../test/agents/claude.ts'
import { bareEnv, needSystemPackages, shutIn } from '../../test/agents/loopback.ts'
import { gantry, install, openStage, type Stage as RealStage } from '../../test/agents/stage.ts'
import { median, type Result, round, spread } from '../measure.ts'
import { interleave, type Stage } from '../stage.ts'

const NAME = 'claude-tool-call'
const CALLS = 20
const ROUNDS = 5
const LIMIT_MS = 600_000

/** Milliseconds between requests, by kind of hooks. */
interface Gaps {
  readonly none: number[]
  readonly gantry: number[]
  readonly all: number[]
  readonly node: number[]
}

export async function claudeToolCall(stage: Stage): Promise<Result[]> {
  needSystemPackages()
  await agentProgram(CLAUDE)
  const rounds = String(Math.max(1, Math.round(ROUNDS * stage.effort)))
  const child = Bun.spawn(shutIn([process.execPath, import.meta.path, rounds]), {
    env: bareEnv(),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  const said = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${NAME} failed: ${said}`)
  return [resultOf(JSON.parse(said.trim().split('\n').at(-1) ?? '') as Gaps)]
}

function resultOf(gaps: Gaps): Result {
  const floor = median(gaps.none)
  const [ours, node, all] = [spread(gaps.gantry), spread(gaps.node), spread(gaps.all)]
  const added = (value: number) => round(value - floor)
  return {
    name: NAME,
    unit: 'ms',
    p50: added(ours.p50),
    p95: added(ours.p95),
    p99: added(ours.p99),
    n: ours.n,
    floor,
    ratio: round(added(ours.p50) / floor),
    against: 'the gap between two requests with no hooks',
    addedByGantryMs: added(ours.p50),
    addedByNodeMs: added(node.p50),
    shareOfNode: round(added(ours.p50) / added(node.p50)),
    addedByAllOfGantryMs: added(all.p50),
  }
}

/** Runs inside the namespace: one HOME, one daemon, and settings that change between runs. */
async function measure(rounds: number): Promise<Gaps> {
  const real = await openStage(claude)
  const settings = join(real.home, '.claude/settings.json')
  try {
    writeFileSync(settings, '{}')
    await install(real)
    await gantry(real, 'up')
    const installed = JSON.parse(readFileSync(settings, 'utf8')) as { hooks: Record<string, unknown> }
    const { PreToolUse, PostToolUse } = installed.hooks
    const variants = [{}, { PreToolUse, PostToolUse }, installed.hooks, nodeHooks(real)]
    const takes = variants.map((hooks, which) => () => {
      writeFileSync(settings, JSON.stringify({ hooks }))
      return gapsOfOneRun(real, which)
    })
    for (const take of takes) await take() // the first run of each reads everything from the disk
    const [none = [], ours = [], all = [], node = []] = await interleave(rounds, ...takes)
    return { none, gantry: ours, all, node }
  } finally {
    await real.close()
  }
}

let runs = 0

async function gapsOfOneRun(real: RealStage, which: number): Promise<number[]> {
  const name = `run-${which}-${runs++}`
  const call = { name: 'Bash', input: { command: 'echo hi', description: 'a command' } }
  const turns = Array.from({ length: CALLS }, () => ({ calls: [call] }))
  const run = await real.ask(name, turns, { journal: false })
  const times = run.seen.map((request) => request.at)
  if (run.exit !== 0 || times.length !== CALLS + 1)
    throw new Error(`claude gave ${run.exit} after ${times.length} requests: ${run.stderr}`)
  return times.slice(1).map((time, i) => time - (times[i] ?? time))
}

/** The least that a Node hook does: it starts, reads its input and answers nothing. */
function nodeHooks(real: RealStage): Record<string, unknown> {
  const node = Bun.which('node')
  if (!node) throw new Error('The Node script to compare with needs node on the PATH.')
  const script = join(real.home, 'hook', 'hook.mjs')
  mkdirSync(join(real.home, 'hook'))
  writeFileSync(script, `import { readFileSync } from 'node:fs'\nJSON.parse(readFileSync(0, 'utf8'))\n`)
  const group = [{ hooks: [{ type: 'command', command: node, args: [script] }] }]
  return { PreToolUse: group, PostToolUse: group }
}

if (import.meta.main) {
  const gaps = await measure(Number(process.argv[2] ?? ROUNDS))
  console.log(JSON.stringify(gaps))
  process.exit(0)
}
