/** The table "may know" of ARCHITECTURE.md, held against the imports. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ROOT } from './kit.ts'

const SRC = join(ROOT, 'src')

/** Files beside the rooms that everyone may know. */
const GROUND = [
  'closest.ts',
  'errors.ts',
  'input-line.ts',
  'inside-agent.ts',
  'issue-words.ts',
  'kept-down.ts',
  'libc.ts',
  'lock.ts',
  'kept-environment.ts',
  'limits.ts',
  'nats-info.ts',
  'places.ts',
  'priority.ts',
  'random.ts',
  'self.ts',
  'columns.ts',
  'text.ts',
  'version.ts',
]

/** Doors besides index.ts, for what runs under every tool call, or beside the daemon, and must load nothing else. */
const SIDE_DOORS = [
  'events/ids.ts',
  'events/hook-event.ts',
  'events/message.ts',
  'events/names.ts',
  'events/sdk-line.ts',
  'events/verdict.ts',
  'sessions/dialects.ts',
  'sessions/look.ts',
  'client/wire.ts',
  'client/hook.ts',
  'client/losses.ts',
  'client/spool.ts',
  'client/approvals.ts',
  'client/protocol.ts',
  'client/bus.ts',
  'client/connection.ts',
  'client/known-names.ts',
  'client/since.ts',
  'client/spool-look.ts',
  'client/work.ts',
  'agents/testing.ts',
  'agents/read.ts',
  'daemon/configuration.ts',
  'daemon/listing.ts',
  'daemon/read-process.ts',
  'daemon/search/worker.ts',
  'daemon/transcripts/conversation.ts',
  'tmux/pane.ts',
  'tmux/settings.ts',
  'work/settings.ts',
]

interface Import {
  readonly file: string
  readonly from: string
  readonly to: string
  /** Path of the imported file inside src. */
  readonly target: string
}

const rules = readRules()
const imports = allImports()

describe('the rooms', () => {
  test('there is a rule for every room, and a room for every import', () => {
    for (const room of roomsOnDisk()) expect(rules.has(room), `no rule for src/${room}`).toBe(true)
    expect(imports.length).toBeGreaterThan(50)
  })

  test('no room reaches where it may not', () => {
    const wrong = imports.filter(({ from, to }) => from !== to && !(rules.get(from) ?? []).includes(to))
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test('neighbours use the front door', () => {
    const wrong = imports.filter(
      ({ from, to, target }) => from !== to && target !== `${to}/index.ts` && !SIDE_DOORS.includes(target),
    )
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test("the folders of bus/ use each other's front doors", () => {
    const within = imports.filter(
      ({ file, target }) => file.startsWith('src/bus/') && /^bus\/\w+\//.test(target),
    )
    const wrong = within.filter(
      ({ file, target }) => dirname(file) !== `src/${dirname(target)}` && !target.endsWith('/index.ts'),
    )
    expect(within.length).toBeGreaterThan(50)
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test('every room has a front door that says what it is', () => {
    for (const room of roomsOnDisk()) {
      const door = join(SRC, room, room === 'cli' ? 'main.ts' : 'index.ts')
      expect(existsSync(door), `${room} has no front door`).toBe(true)
      expect(readFileSync(door, 'utf8').startsWith('/**'), `${room}'s front door says nothing`).toBe(true)
    }
  })
})

/** Rows `| \`room/\` | owns | may know |` of the project's ARCHITECTURE.md. */
function readRules(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  for (const row of text.matchAll(/^\| `(\w+)\/` \|[^|]*\|([^|]*)\|$/gm)) {
    const known = [...(row[2] ?? '').matchAll(/`(\w+)\/`/g)].map((match) => match[1] ?? '')
    found.set(row[1] ?? '', known)
  }
  return found
}

function allImports(): Import[] {
  const found: Import[] = []
  for (const file of sources(SRC)) {
    const text = readFileSync(file, 'utf8')
    const from = relative(SRC, file).split('/')[0] ?? ''
    if (from.endsWith('.ts')) continue
    const paths = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '')
    for (const path of new Set(paths)) {
      const target = relative(SRC, resolve(dirname(file), path))
      if (target.startsWith('..') || GROUND.includes(target)) continue
      found.push({ file: relative(ROOT, file), from, to: target.split('/')[0] ?? '', target })
    }
  }
  return found
}

function sources(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(dir, name))
}

function roomsOnDisk(): string[] {
  return readdirSync(SRC, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
}
