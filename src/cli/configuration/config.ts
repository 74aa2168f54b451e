/** Prints, checks, shows and edits the configuration; works without the daemon, too. */
import { closeSync, openSync } from 'node:fs'
import { basename } from 'node:path'
import { refuseInsideAgent } from '../../agents/inside-agent.ts'
import { call } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { didYouMean } from '../../core/text/closest.ts'
import {
  configProblems,
  editConfig,
  fileProblems,
  namedKeys,
  overridesOf,
  rowsAt,
  storedRows,
} from '../../daemon/config/index.ts'
import { makeFolders, missingFolders, readForChange, replaceFile } from '../../install/index.ts'
import type { ConfigRow } from '../../rpc/index.ts'
import { inForce, isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { sayRefused } from '../framework/refused.ts'
import {
  bold,
  columns,
  cyan,
  dim,
  green,
  out,
  outJson,
  padTo,
  plain,
  red,
  widthOf,
  wrap,
} from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

export async function path({
  args: { which = 'folder' },
  flags,
  places,
}: Input<typeof commands.path>): Promise<number> {
  if (which === 'token') refuseInsideAgent() // `$(…)` in a command would hide from the guards what it reads
  const { config, configFile, rules, handlers, log, database, socket, token, http } = places
  const paths = { folder: config, file: configFile, rules, handlers, log, database, socket, token, http }
  out(flags.json ? JSON.stringify(paths, null, 2) : paths[which])
  return 0
}

export function check({ flags, places }: Input<typeof commands.check>): Promise<number> {
  return checked(places, flags.json)
}

export async function show({
  args: { key: part },
  flags,
  places,
}: Input<typeof commands.show>): Promise<number> {
  const all = await effective(places)
  const rows = part === undefined ? all : rowsAt(all, part)
  if (rows.length === 0) throw noSuchKey(part ?? '', all)
  const isRefused = (await sayRefused(places, 'config')) !== undefined
  if (flags.json) outJson(rows)
  else for (const line of linesOf(rows)) out(line)
  return isRefused ? 1 : 0
}

function noSuchKey(part: string, rows: readonly ConfigRow[]): GantryError {
  const depth = part.split('.').length
  const there = [...rows.map(({ key }) => key), ...namedKeys(rows)]
  const close = didYouMean(
    part,
    there.map((key) => key.split('.').slice(0, depth).join('.')),
  )
  return usageError(`There is no key "${part}". ${close ?? 'docs/config.md lists them.'}`)
}

export function set({ args: { key, value }, places }: Input<typeof commands.set>): Promise<number> {
  return change(places, key, value)
}

/** Sets a key, and says when the daemon works with it. */
export async function change(places: Places, key: string, value: string): Promise<number> {
  sayKept(key, setKey(places, key, value), places)
  const said = (rows: readonly ConfigRow[]) => rowsAt(rows, key).map((row) => [row.key, row.value])
  const wanted = said(await storedRows(places, {})) // the variables of this shell are not those of the daemon
  let overrides: string[] = []
  const isTaken = await inForce(async () => {
    const rows = await call(places, 'config.show')
    overrides = overridesOf(rowsAt(rows, key))
    return overrides.length > 0 || Bun.deepEquals(said(rows), wanted)
  })
  const [variable] = overrides
  out(
    variable === undefined
      ? isTaken
      : `${variable} in the daemon's environment overrides it; without that variable: gantry down, then gantry up`,
  )
  return 0
}

export function sayKept(key: string, isNew: boolean, { configFile }: Places): void {
  out(`${green('✓')} ${bold(plain(key))} ${isNew ? 'is set' : 'was so already'} in ${plain(configFile)}`)
}

/**
 * Sets one key of gantry.toml and leaves every other byte; false where it has that value already. An agent must not loosen
 * its own guards, caps or approvals.
 */
export function setKey(places: Places, key: string, value: string): boolean {
  return setKeys(places, { [key]: value })
}

/** Several keys in one change, so that the daemon never sees a part of it. */
export function setKeys(places: Places, values: Readonly<Record<string, string>>): boolean {
  refuseInsideAgent()
  const { target, bytes } = readForChange(places.configFile)
  const before = bytes?.toString() ?? ''
  if (bytes && !Buffer.from(before).equals(bytes))
    throw new GantryError(
      'BAD_CONFIG',
      `${places.configFile} is not UTF-8. Nothing was written. Correct it with: gantry config edit`,
    )
  let after = before
  for (const [key, value] of Object.entries(values)) after = editConfig(after, key, value, places.configFile)
  if (after !== before) {
    makeFolders(missingFolders(target))
    replaceFile(target, Buffer.from(after), {
      check: () => {
        if (readForChange(places.configFile).bytes?.toString() !== bytes?.toString())
          throw new GantryError('BUSY', `${places.configFile} was changed meanwhile. Run this again.`)
      },
    })
  }
  return after !== before
}

export async function edit({ places }: Input<typeof commands.edit>): Promise<number> {
  const editor = process.env.VISUAL || process.env.EDITOR || Bun.which('sensible-editor') || Bun.which('vi')
  if (!editor) throw usageError(`Set EDITOR, or open it yourself: ${places.configFile}`)
  makeFolders(missingFolders(places.configFile))
  closeSync(openSync(places.configFile, 'a', 0o600))
  // Run by sh, since the variable may have arguments: EDITOR="code --wait".
  const child = Bun.spawn(['sh', '-c', `${editor} "$1"`, 'sh', places.configFile], {
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  const exit = await child.exited
  if (exit !== 0) throw usageError(`${plain(basename(editor))} ended with exit ${exit}.`)
  return checked(places, false)
}

async function checked(places: Places, asJson: boolean): Promise<number> {
  const problems = await configProblems(places)
  if (asJson) outJson({ folder: places.config, good: problems.length === 0, problems })
  else if (problems.length === 0) out(`${green('✓')} the configuration in ${plain(places.config)} is good`)
  else {
    for (const problem of problems) out(`${red('✗')} ${plain(problem)}`)
    out(
      `${cyan('→')} Correct it with: gantry config edit. docs/config.md lists the keys, docs/rules.md those of rules. A daemon that runs keeps what was last good until then.`,
    )
  }
  return problems.length === 0 ? 0 : 1
}

/** The values in force, or those that a start would use if the daemon is down. */
async function effective(places: Places): Promise<ConfigRow[]> {
  try {
    return await call(places, 'config.show')
  } catch (error) {
    if (!isAway(error)) throw error
    const problems = await fileProblems(places)
    if (problems.length > 0) throw new GantryError('BAD_CONFIG', problems.join('\n'))
    return storedRows(places)
  }
}

const WIDEST = 48 // columns; a longer key or value widens no other row
const NARROWEST = 12

/** On a terminal, a value that is too long for its column goes on below; a pipe gets one line for each row. */
function linesOf(rows: readonly ConfigRow[]): string[] {
  const cells = rows.map(({ key, value, from }) => [plain(key), plain(JSON.stringify(value)), from] as const)
  const width = (i: 0 | 1 | 2) => Math.min(WIDEST, Math.max(...cells.map((cell) => widthOf(cell[i]))))
  const keys = width(0)
  const room = Math.max(NARROWEST, columns() - keys - width(2) - 4)
  const isWhole = !process.stdout.isTTY
  const values = isWhole ? width(1) : Math.min(width(1), room)
  return cells.map(([key, value, from]) => {
    const where = from === 'default' ? dim(from) : cyan(from)
    const [first = '', ...more] = isWhole ? [value] : wrap(value, values, Number.POSITIVE_INFINITY)
    const line = `${padTo(key, keys)}  ${padTo(first, values)}  ${where}`
    return [line, ...more.map((one) => ' '.repeat(keys + 2) + one)].join('\n')
  })
}
