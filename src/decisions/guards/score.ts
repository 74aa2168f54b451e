/**
 * How the guards do on commands that somebody labelled: what should be blocked and was not, what should pass and was denied,
 * and how long it takes. Nothing is run.
 *
 *   scoreCorpus('{"command":"rm -rf /","expect":"block"}\n', { preset: 'strict' }).blocked   // { hits: 1, of: 1 }
 */
import { GantryError } from '../../core/errors.ts'
import { isObject } from '../../core/is-object.ts'
import type { ScriptContext } from '../../shell/index.ts'
import type { Mode, Preset } from './config.ts'
import { factsOfCommand, findings, modesOf, strongest } from './judge.ts'
import { ownFiles } from './own-files.ts'

interface Miss {
  readonly line: number
  readonly command: string
  readonly expect: string
  /** What the guards said. */
  readonly said: 'pass' | 'ask' | 'deny'
  readonly guard?: string
}

export interface Score {
  readonly preset: Preset
  /** Commands that should be blocked: denied or asked is a hit. */
  readonly blocked: { readonly hits: number; readonly asked: number; readonly of: number }
  /** Commands that should pass: one that is denied is a false alarm. */
  readonly allowed: { readonly falseAlarms: number; readonly asked: number; readonly of: number }
  /** Commands that are not safe to approve unseen, which is less than dangerous: counted, not judged. */
  readonly notSafe: { readonly denied: number; readonly asked: number; readonly of: number }
  /** Lines without a label, or with one that gantry does not know. */
  readonly unlabelled: number
  readonly unknownLabels: readonly string[]
  /** As labelled, in percent of all that is judged; null if nothing is. */
  readonly asLabelled: number | null
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly misses: readonly Miss[]
  /** Commands that should pass, about which a person would be asked. */
  readonly askedHarmless: readonly Miss[]
  /** Commands that should be denied, about which a person would only be asked. */
  readonly onlyAsked: readonly Miss[]
}

export const LABELS: Readonly<Record<string, 'block' | 'allow' | 'not-safe'>> = {
  block: 'block',
  deny: 'block',
  ask: 'block', // asked or denied: both are hits
  dangerous: 'block',
  allow: 'allow',
  safe: 'allow',
  harmless: 'allow',
  'not-safe': 'not-safe',
}

/** Where a corpus is meant to run: a project in somebody's home. */
export const PLACE: ScriptContext = {
  cwd: '/home/user/project',
  home: '/home/user',
  worktree: '/home/user/project',
}
export const OWN = ownFiles(
  ['/home/user/.config/gantry', '/home/user/.local/state/gantry', '/run/user/1000/gantry'],
  {},
  PLACE.home,
)

const WARM_UP = 500 // commands; a daemon has its code compiled, too

export function scoreCorpus(
  text: string,
  { preset, file = 'corpus' }: { readonly preset: Preset; readonly file?: string },
): Score {
  const modes = modesOf({ preset, modes: {} })
  const times: number[] = []
  const misses: Miss[] = []
  const askedHarmless: Miss[] = []
  const onlyAsked: Miss[] = []
  const blocked = { hits: 0, asked: 0, of: 0 }
  const allowed = { falseAlarms: 0, asked: 0, of: 0 }
  const notSafe = { denied: 0, asked: 0, of: 0 }
  let unlabelled = 0
  const unknownLabels = new Set<string>()
  const lines = [...linesOf(text, file)]
  const judge = (command: string) => strongest(findings(factsOfCommand(command, PLACE, OWN), modes), modes)
  for (const { command } of lines.slice(0, WARM_UP)) judge(command)
  for (const { line, command, expect } of lines) {
    const label = Object.hasOwn(LABELS, expect) ? LABELS[expect] : undefined
    const began = performance.now()
    const objection = judge(command)
    times.push(performance.now() - began)
    const said: Exclude<Mode, 'off' | 'watch'> | 'pass' = objection?.mode ?? 'pass'
    const listIn = (list: Miss[]) =>
      list.push({ line, command, expect, said, ...(objection ? { guard: objection.guard.id } : {}) })
    if (label === undefined) {
      unlabelled += 1
      if (expect !== '') unknownLabels.add(expect)
    } else if (label === 'block') {
      blocked.of += 1
      if (said === 'pass') listIn(misses)
      else blocked.hits += 1
      if (said === 'ask') blocked.asked += 1
      if (said === 'ask' && expect === 'deny') listIn(onlyAsked)
    } else if (label === 'allow') {
      allowed.of += 1
      if (said === 'deny') {
        allowed.falseAlarms += 1
        listIn(misses)
      } else if (said === 'ask') {
        allowed.asked += 1
        listIn(askedHarmless)
      }
    } else {
      notSafe.of += 1
      if (said === 'deny') notSafe.denied += 1
      else if (said === 'ask') notSafe.asked += 1
    }
  }
  times.sort((a, b) => a - b)
  const judged = blocked.of + allowed.of
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  return {
    preset,
    blocked,
    allowed,
    notSafe,
    unlabelled,
    unknownLabels: [...unknownLabels],
    asLabelled: judged === 0 ? null : (100 * (judged - misses.length)) / judged,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: times.at(-1) ?? 0,
    misses,
    askedHarmless,
    onlyAsked,
  }
}

function* linesOf(text: string, file: string): Generator<{ line: number; command: string; expect: string }> {
  let line = 0
  for (const json of text.split('\n')) {
    line += 1
    if (json.trim() === '') continue
    let value: unknown
    try {
      value = JSON.parse(json)
    } catch {
      throw new GantryError(
        'USAGE',
        `${file}:${line} is not JSON. Each line is like {"command": "ls", "expect": "allow"}`,
      )
    }
    if (!isObject(value) || typeof value.command !== 'string')
      throw new GantryError(
        'USAGE',
        `${file}:${line} has no command. Each line is like {"command": "ls", "expect": "allow"}`,
      )
    const { command, expect } = value
    yield { line, command, expect: String(expect ?? '') }
  }
}
