/** The configuration: where it is, whether it is good, what is in force, and changing it. None of it needs the daemon. */
import { closeSync, openSync } from 'node:fs'
import { basename } from 'node:path'
import { call } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { configProblems, editConfig, fileProblems, storedRows } from '../daemon/config/index.ts'
import { makeFolders, missingFolders, readForChange, replaceFile } from '../install/index.ts'
import type { ConfigRow } from '../rpc/index.ts'
import type { Command } from './command.ts'
import { sayRefused } from './refused.ts'
import { bold, cyan, dim, green, out, padTo, plain, red } from './terminal.ts'

const json = { type: 'boolean', help: 'Print as JSON' } as const

export const configPath: Command = {
  name: 'config path',
  summary: 'Print the folder of the configuration, or a file in it',
  usage: '[file|rules] [--json]',
  takes: 1,
  options: { json },
  examples: [
    { line: 'gantry config path', does: 'The folder, with gantry.toml and rules/' },
    { line: 'gantry config path file', does: 'The path of gantry.toml' },
  ],
  async run({ args: [which], flags, places }) {
    const { config, configFile, rules } = places
    const paths: Readonly<Record<string, string>> = { folder: config, file: configFile, rules }
    const path = paths[which ?? 'folder']
    if (path === undefined)
      throw new GantryError('USAGE', `Say one of file and rules, or nothing for the folder, not "${which}".`)
    out(flags.json ? JSON.stringify(paths, null, 2) : path)
    return 0
  },
}

export const configCheck: Command = {
  name: 'config check',
  summary: 'Check gantry.toml and the rules; exit 1 with file, line and key of every mistake',
  usage: '[--json]',
  options: { json },
  examples: [{ line: 'gantry config check', does: 'Also without the daemon: before it is started, in CI' }],
  run: ({ flags, places }) => check(places, flags.json === true),
}

export const configShow: Command = {
  name: 'config show',
  summary: 'Show every value that is in force, and where it comes from; secrets are left out',
  usage: '[table|key] [--json]',
  takes: 1,
  options: { json },
  examples: [
    { line: 'gantry config show', does: 'Key, value, and the line of gantry.toml, a variable or "default"' },
    { line: 'gantry config show nats', does: 'One table' },
  ],
  async run({ args: [part], flags, places }) {
    const rows = (await effective(places)).filter(
      ({ key }) => part === undefined || key === part || key.startsWith(`${part}.`),
    )
    if (rows.length === 0)
      throw new GantryError('USAGE', `There is no key "${part}". docs/config.md lists them.`)
    const isRefused = (await sayRefused(places, 'config')) !== undefined
    if (flags.json) out(JSON.stringify(rows, null, 2))
    else for (const line of linesOf(rows)) out(line)
    return isRefused ? 1 : 0
  },
}

export const configSet: Command = {
  name: 'config set',
  summary: 'Set a key of gantry.toml; comments and everything else stay as they are',
  usage: '<key> <value>',
  takes: 2,
  options: {},
  examples: [
    {
      line: 'gantry config set http.port 4600',
      does: 'Checked before it is written; the daemon takes it at once',
    },
    { line: 'gantry config set nats.mode off', does: 'gantry starts no nats-server' },
    {
      line: 'gantry config set notify.channels.phone.after_s 60',
      does: 'In the channel of that name; a new one is added with "gantry config edit"',
    },
  ],
  async run({ args: [key, value], places }) {
    if (key === undefined || value === undefined)
      throw new GantryError('USAGE', 'Say key and value: gantry config set http.port 4600')
    const { target, bytes } = readForChange(places.configFile)
    const before = bytes?.toString() ?? ''
    if (bytes && !Buffer.from(before).equals(bytes))
      throw new GantryError(
        'BAD_CONFIG',
        `${places.configFile} is not UTF-8. Nothing was written. Correct it with: gantry config edit`,
      )
    const after = editConfig(before, key, value, places.configFile)
    if (after !== before) {
      makeFolders(missingFolders(target))
      replaceFile(target, Buffer.from(after), {
        check: () => {
          if (readForChange(places.configFile).bytes?.toString() !== bytes?.toString())
            throw new GantryError('BUSY', `${places.configFile} was changed meanwhile. Run this again.`)
        },
      })
    }
    const done = after === before ? 'was so already' : 'is set'
    out(`${green('✓')} ${bold(plain(key))} ${done} in ${plain(places.configFile)}`)
    return 0
  },
}

export const configEdit: Command = {
  name: 'config edit',
  summary: 'Open gantry.toml in your editor, and check it afterwards',
  usage: '',
  options: {},
  examples: [
    { line: 'gantry config edit', does: 'In $VISUAL or $EDITOR; exit 1 when it is not good afterwards' },
  ],
  async run({ places }) {
    const editor = process.env.VISUAL || process.env.EDITOR || Bun.which('sensible-editor') || Bun.which('vi')
    if (!editor) throw new GantryError('USAGE', `Set EDITOR, or open it yourself: ${places.configFile}`)
    makeFolders(missingFolders(places.configFile))
    closeSync(openSync(places.configFile, 'a', 0o600))
    // By sh, since the variable may have arguments: EDITOR="code --wait".
    const child = Bun.spawn(['sh', '-c', `${editor} "$1"`, 'sh', places.configFile], {
      stdio: ['inherit', 'inherit', 'inherit'],
    })
    const exit = await child.exited
    if (exit !== 0) throw new GantryError('USAGE', `${plain(basename(editor))} ended with exit ${exit}.`)
    return check(places, false)
  },
}

async function check(places: Places, asJson: boolean): Promise<number> {
  const problems = await configProblems(places)
  if (asJson) out(JSON.stringify({ folder: places.config, good: problems.length === 0, problems }, null, 2))
  else if (problems.length === 0) out(`${green('✓')} the configuration in ${plain(places.config)} is good`)
  else {
    for (const problem of problems) out(`${red('✗')} ${plain(problem)}`)
    out(
      `${cyan('→')} Correct it with: gantry config edit. docs/config.md lists the keys, docs/rules.md those of rules. A daemon that runs keeps what was last good until then.`,
    )
  }
  return problems.length === 0 ? 0 : 1
}

/** What the daemon has in force; without one, what a start would take. */
async function effective(places: Places): Promise<ConfigRow[]> {
  try {
    return await call(places, 'config.show')
  } catch (error) {
    if (!(error instanceof GantryError) || error.code !== 'DAEMON_AWAY') throw error
    const problems = await fileProblems(places)
    if (problems.length > 0) throw new GantryError('BAD_CONFIG', problems.join('\n'))
    return storedRows(places)
  }
}

function linesOf(rows: readonly ConfigRow[]): string[] {
  const cells = rows.map(({ key, value, from }) => [plain(key), plain(JSON.stringify(value)), from] as const)
  const width = (i: 0 | 1) => Math.min(48, Math.max(...cells.map((cell) => cell[i].length)))
  const [keys, values] = [width(0), width(1)]
  return cells.map(([key, value, from]) => {
    const where = from === 'default' ? dim(from) : cyan(from)
    return `${padTo(key, keys)}  ${padTo(value, values)}  ${where}`
  })
}
