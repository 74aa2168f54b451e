/** Rehearses rules and guards on the journal, beside the daemon: read-only, at low priority, and without it, too. */
import type { EffectCounts, RehearsalReport, RuleEffects } from '../../client/index.ts'
import { homeOf } from '../../core/files/paths.ts'
import { tookWords } from '../../core/text/amount.ts'
import { suggest as suggested } from '../../decisions/rehearse/index.ts'
import { bothOf, countWords } from '../../rpc/rehearsal-report.ts'
import type { Input } from '../framework/define.ts'
import { type Progress, progressOf } from '../framework/progress.ts'
import { bold, counted, cut, dim, out, outJson, plain, red, short, yellow } from '../framework/terminal.ts'
import { startWorker, workerError } from '../framework/worker.ts'
import type * as commands from './index.ts'
import { type ReplayTask, replayPart, whyOf, withJournal } from './past.ts'
import { whyLines } from './why-lines.ts'

export async function why({ args, flags, places }: Input<typeof commands.rulesWhy>): Promise<number> {
  const found = await whyOf(places, args.event)
  if (flags.json) return outJson(found)
  for (const line of whyLines(found)) out(line)
  return 0
}

export async function replay({ flags, places }: Input<typeof commands.rulesReplay>): Promise<number> {
  const { json, ...task } = { ...flags, places }
  const progress = progressOf('events')
  const report = await replayAll(task, progress.at)
  progress.end()
  if (json) return outJson(report)
  for (const line of reportLines(report)) out(line)
  return 0
}

const MANY = 50_000 // events, above which a second process pays

async function replayAll(task: ReplayTask, progress: Progress['at']): Promise<RehearsalReport> {
  const { places, since } = task
  const isLong = await withJournal(
    places,
    async (reader) => reader.lastSeq() - reader.seqBefore(since) > MANY,
  )
  if (!isLong) return replayPart(task, undefined, progress)
  const child = startWorker('replay-worker', task)
  const other = new Response(child.stdout).text()
  try {
    const one = await replayPart(task, 0, progress)
    const text = await other
    if ((await child.exited) === 0) return bothOf(one, JSON.parse(text) as RehearsalReport)
  } finally {
    child.kill()
  }
  throw await workerError(child)
}

export async function suggest({ flags, places }: Input<typeof commands.rulesSuggest>): Promise<number> {
  const { since, least, json } = flags
  return withJournal(places, async (reader) => {
    const progress = progressOf('events')
    const parts = { places, home: homeOf() }
    const found = await suggested(reader, parts, { since, least, progress: progress.at })
    progress.end()
    if (json) return outJson(found)
    if (found.length === 0) {
      out(`# Nothing that you answered the same way ${counted(least, 'time')} makes a rule.`)
      return 0
    }
    const { stringify } = await import('yaml')
    out('rules:')
    for (const { rule, decision, answers, past } of found) {
      out(`  # You ${decision === 'allow' ? 'approved' : 'denied'} this ${counted(answers, 'time')}.`)
      // What was answered then is the line above: the answers are its owner's.
      const [counts, ...samples] = effectLines({ ...past, differs: 0, byOthers: 0 })
      for (const line of [`As a rule: ${counts}`, ...samples]) out(`  # ${line}`)
      const text = stringify([rule], { lineWidth: 0 }).trimEnd()
      out(text.replace(/^/gm, '  '))
    }
    return 0
  })
}

const SHOWN = 10
const NO_EFFECT = 'none would have been denied, asked about or changed'

function* reportLines(report: RehearsalReport): Generator<string> {
  const { since, events, judged, total, rules, agents, projects, unknown, tookMs } = report
  const from = new Date(since).toISOString().slice(0, 16).replace('T', ' ')
  const did = Object.keys(total).length === 0 ? NO_EFFECT : countWords(total)
  const among = `${judged.toLocaleString('en')} of ${counted(events, 'event')} judged`
  yield `${among}: ${bold(did)} ${dim(`(since ${from}, in ${tookWords(tookMs)})`)}`
  for (const [why, count] of Object.entries(unknown))
    yield `${yellow('?')} ${counted(count, 'event')} unknown: ${plain(why)}`
  const spoke = rules.filter(({ counts }) => Object.keys(counts).length > 0)
  for (const effects of spoke) {
    yield ''
    yield `${bold(plain(effects.id))}  ${effectLines(effects).join('\n  ')}`
  }
  yield* placeLines('agent', agents)
  yield* placeLines('project', projects)
  const silent = rules.filter((effects) => !spoke.includes(effects)).map(({ id }) => plain(id))
  if (silent.length > 0) yield dim(`\nNever spoke: ${silent.join(', ')}`)
}

function* placeLines(title: string, all: Readonly<Record<string, EffectCounts>>): Generator<string> {
  const sum = (counts: EffectCounts) => Object.values(counts).reduce((both, count) => both + count, 0)
  const sorted = Object.entries(all).sort(([, a], [, b]) => sum(b) - sum(a))
  if (sorted.length === 0) return
  yield dim(`\nby ${title}`)
  for (const [name, counts] of sorted.slice(0, SHOWN))
    yield `  ${plain(short(name) || '(no folder)')}  ${countWords(counts)}`
  if (sorted.length > SHOWN) yield dim(`  … and ${sorted.length - SHOWN} more; --json prints all`)
}

/** What it would have done, and the newest of it. */
function effectLines({ counts, differs, byOthers, agents, projects, samples }: RuleEffects): string[] {
  const places = Object.keys(projects).length
  const where = `${Object.keys(agents).join(', ')}; ${counted(places, 'project')}`
  const parts = [
    countWords(counts),
    ...(differs === 0 ? [] : [`${differs.toLocaleString('en')} of them decided otherwise then`]),
    ...(byOthers === 0 ? [] : [`${byOthers.toLocaleString('en')} decided alike by others`]),
  ]
  const head = parts.join(', ')
  const shown = samples.map(({ id, effect, line, answered }) => {
    const then = answered
      ? `${answered.decision === 'none' && answered.isChange ? 'changed' : answered.decision}${answered.by === undefined ? '' : ` by ${answered.by}`}`
      : 'nothing'
    const colour = effect === 'deny' ? red : effect === 'ask' ? yellow : dim
    return `${colour(effect)} ${cut(plain(line), 80)}  ${dim(`then: ${plain(then)}  ${id}`)}`
  })
  return samples.length === 0 ? [head] : [`${head}  ${dim(where)}`, ...shown]
}
