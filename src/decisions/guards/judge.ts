/**
 * What the guards find in one tool call. Pure, and the same in the daemon, in `gantry rules score` and in the tests.
 *
 *   const facts = factsOfCommand('git push -f', { cwd, home }, own)
 *   strongest(facts, modesOf({ preset: 'standard', … }))   // { mode: 'deny', guard: git-force-push, found: 'git push --force' }
 */
import { effectsOf, parseScript, type ScriptContext } from '../../shell/index.ts'
import type { ToolCall } from '../tool-calls.ts'
import { callOf } from './call.ts'
import type { GuardSettings, Mode, Preset } from './config.ts'
import type { Facts, Finding, Guard, OwnFiles } from './guard.ts'
import { GUARDS } from './pack/index.ts'

export { ownFiles } from './own-files.ts'

export type Modes = ReadonlyMap<string, Mode>

export function modesOf({ preset, modes }: Pick<GuardSettings, 'preset' | 'modes'>): Modes {
  return new Map(GUARDS.map((guard) => [guard.id, modes[guard.id] ?? presetMode(guard, preset)]))
}

function presetMode(guard: Guard, preset: Preset): Mode {
  if (preset === 'off' || preset === 'watch') return preset
  return guard[preset]
}

export function factsOfCommand(source: string, place: ScriptContext, own: OwnFiles): Facts {
  const effects = effectsOf(parseScript(source), place)
  return factsOfCall({ source, effects, place, content: '' }, own)
}

export function factsOfCall(call: ToolCall, own: OwnFiles): Facts {
  return { ...call, calls: call.effects.commands.map(callOf), own }
}

/** Guards that are not off; by the programs they look at, so that a call is only shown to those it concerns. */
interface Awake {
  readonly general: readonly Guard[]
  readonly byProgram: ReadonlyMap<string, readonly Guard[]>
}

const AWAKE = new WeakMap<Modes, Awake>()
const ORDER: ReadonlyMap<Guard, number> = new Map(GUARDS.map((guard, i) => [guard, i]))

function awakeIn(modes: Modes): Awake {
  const known = AWAKE.get(modes)
  if (known) return known
  const guards = GUARDS.filter(({ id }) => modes.get(id) !== 'off')
  const byProgram = new Map<string, Guard[]>()
  for (const guard of guards)
    for (const program of guard.programs ?? [])
      byProgram.set(program, [...(byProgram.get(program) ?? []), guard])
  const awake = { general: guards.filter(({ finds }) => finds), byProgram }
  AWAKE.set(modes, awake)
  return awake
}

const NO_GUARDS: readonly Guard[] = []
const NOTHING: readonly Finding[] = []
const MAX_FOUND_CHARS = 300 // an agent reads it; a path may be as long as the command

/** All that is found by guards that are not off, each once, in the order of the pack. */
export function findings(facts: Facts, modes: Modes): readonly Finding[] {
  const { general, byProgram } = awakeIn(modes)
  let found: Map<Guard, string> | undefined
  for (const guard of general) {
    const said = guard.finds?.(facts)
    if (said === undefined) continue
    found ??= new Map()
    found.set(guard, said)
  }
  for (const call of facts.calls)
    for (const guard of byProgram.get(call.program) ?? NO_GUARDS) {
      const said = found?.has(guard) ? undefined : guard.call?.(call, facts)
      if (said === undefined) continue
      found ??= new Map()
      found.set(guard, said)
    }
  if (found === undefined) return NOTHING
  return [...found]
    .map(([guard, text]) => ({
      guard,
      found: text.length > MAX_FOUND_CHARS ? `${text.slice(0, MAX_FOUND_CHARS)}…` : text,
    }))
    .sort((a, b) => (ORDER.get(a.guard) ?? 0) - (ORDER.get(b.guard) ?? 0))
}

interface Objection extends Finding {
  readonly mode: 'deny' | 'ask'
}

/** The first that denies, else the first that asks. */
export function strongest(all: readonly Finding[], modes: Modes): Objection | undefined {
  for (const mode of ['deny', 'ask'] as const) {
    const one = all.find(({ guard }) => modes.get(guard.id) === mode)
    if (one) return { ...one, mode }
  }
  return undefined
}

export function reasonOf({ guard, found }: Finding): string {
  return `gantry's guard ${guard.id}: ${guard.about.charAt(0).toLowerCase()}${guard.about.slice(1)} (${found}). Instead: ${guard.instead}`
}
