/** Lists the guards, and sets their preset and modes in gantry.toml. */
import { call } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { didYouMean } from '../../core/text/closest.ts'
import { loadConfig } from '../../daemon/config/config.ts'
import { storedRows } from '../../daemon/config/index.ts'
import { GUARDS, type Mode, modesOf, type Preset } from '../../decisions/guards/index.ts'
import { change, setKey } from '../configuration/config.ts'
import { ask } from '../framework/ask.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import {
  bold,
  counted,
  dim,
  green,
  out,
  outJson,
  paragraph,
  plain,
  red,
  yellow,
} from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

export async function run({ flags, places }: Input<typeof commands.guards>): Promise<number> {
  const { config } = await loadConfig(places.configFile)
  const { preset, one_strike, modes } = config.guards
  const effective = modesOf(config.guards)
  const hits = await hitsOf(places, 'guard')
  const rows = GUARDS.map(({ id, about, instead }) => ({
    id,
    mode: effective.get(id) ?? 'off',
    own: modes[id] !== undefined,
    hits: hits?.get(id) ?? (hits ? 0 : null),
    about,
    instead,
  }))
  if (flags.json) return outJson({ preset, one_strike, guards: rows })
  const hasOwn = rows.some(({ own, mode }) => own && mode !== 'off')
  out(
    paragraph(
      `preset ${bold(preset)}${one_strike ? ', one strike' : ''}  `,
      presetWords(preset, hasOwn),
      dim,
    ),
  )
  const shown = preset === 'off' && !flags.all ? rows.filter(({ mode }) => mode !== 'off') : rows
  const width = Math.max(...shown.map(({ id }) => id.length))
  for (const { id, mode, own, hits: count, about } of shown) {
    const words = `${mode}${own ? ' *' : ''}`.padEnd(8)
    const head = `${plain(id).padEnd(width)}  ${colourOf(mode)(words)} ${String(count ?? '–').padStart(5)}  `
    out(paragraph(head, about, dim))
  }
  if (shown.length < rows.length)
    out(dim(`${counted(rows.length - shown.length, 'guard is', 'guards are')} off: gantry guards --all`))
  if (shown.some(({ own }) => own)) out(dim('* set by you, whatever the preset says'))
  if (hits === undefined && shown.length > 0)
    out(paragraph('', 'The daemon does not run, so the hits are not known.', dim))
  return 0
}

export async function preset({ args, places }: Input<typeof commands.guardsPreset>): Promise<number> {
  return change(places, 'guards.preset', args.preset)
}

export async function set({ args: { id, mode }, places }: Input<typeof commands.guardsSet>): Promise<number> {
  const ids = GUARDS.map((guard) => guard.id)
  if (!ids.includes(id))
    throw usageError(`There is no guard "${id}". ${didYouMean(id, ids) ?? '"gantry guards" lists them.'}`)
  return change(places, `guards.modes.${id}`, mode)
}

/**
 * Asks once, at a terminal: whatever the answer is, it stands in gantry.toml from then on. No answer leaves it open, and so
 * does a run without questions.
 */
export async function choosePreset(places: Places, isAsked: boolean): Promise<void> {
  const rows = await storedRows(places).catch(() => []) // a wrong gantry.toml wires agents all the same
  if (rows.find(({ key }) => key === 'guards.preset')?.from !== 'default') return
  const chosen = isAsked ? await askedPreset() : undefined
  if (chosen === undefined) {
    out(paragraph('', `Guards stay off. To turn them on: ${HOW}`))
    return
  }
  setKey(places, 'guards.preset', chosen)
  const how = chosen === 'off' ? HOW : 'gantry guards preset off'
  out(paragraph(`${green('✓')} `, `Guards are set to ${chosen}. To change that: ${how}`))
}

const HOW = 'gantry guards preset standard'
const ABOUT =
  'Guards stop commands that destroy data, leak credentials or take over the machine. standard denies catastrophes and asks about risks; strict denies risks, too; watch only counts; off does nothing.'

async function askedPreset(): Promise<Preset | undefined> {
  out(`\n${paragraph('', ABOUT)}`)
  const choices = '[s]tandard, s[t]rict, [w]atch, [O]ff'
  return WORDS[(await ask(`${bold('Guards?')} ${choices}: `, 'Guards are not set.')).toLowerCase()]
}

const WORDS: Readonly<Record<string, Preset>> = {
  ...{ s: 'standard', t: 'strict', w: 'watch', o: 'off' },
  ...{ standard: 'standard', strict: 'strict', watch: 'watch', off: 'off' },
}

function presetWords(preset: string, hasOwn: boolean): string {
  const looks = hasOwn ? 'only what you set yourself is looked at' : 'nothing is looked at'
  if (preset === 'off') return `${looks}; choose one: gantry guards preset standard`
  return preset === 'watch' ? 'nothing is held up, only counted' : ''
}

/** How often each rule or guard applied, in whatever mode; undefined without a daemon. */
export async function hitsOf(
  places: Places,
  kind: 'guard' | 'rule',
): Promise<ReadonlyMap<string, number> | undefined> {
  try {
    const hits = new Map<string, number>()
    for (const counter of await call(places, 'counters')) {
      if (counter.kind !== kind) continue
      const id = kind === 'rule' ? counter.key : (counter.key.split(' ', 1)[0] ?? '')
      hits.set(id, (hits.get(id) ?? 0) + counter.count)
    }
    return hits
  } catch (error) {
    if (!isAway(error)) throw error
    return undefined
  }
}

function colourOf(mode: Mode): (text: string) => string {
  if (mode === 'deny') return red
  return mode === 'ask' ? yellow : dim
}
