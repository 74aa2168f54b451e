/** The layers of ARCHITECTURE.md, held against every import: a folder knows only those above it, by their doors. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ROOT } from './kit.ts'

const SRC = join(ROOT, 'src')

/** Every feature's doors. All but the first load what a start of the daemon does not need. */
const DOORS = ['index.ts', 'rpc.ts', 'config.ts', 'service.ts', 'findings.ts']

/** Further doors, for what runs under every tool call, or beside the daemon, and must load nothing else. */
const SIDE_DOORS = [
  'agents/facts.gen.ts',
  'agents/facts.ts',
  'agents/inside-agent.ts',
  'agents/read.ts',
  'agents/testing.ts',
  'agents/tools/tool-call.ts',
  'bus/requests.ts',
  'client/approvals.ts',
  'client/bus.ts',
  'client/connection.ts',
  'client/hook.ts',
  'client/known-names.ts',
  'client/losses.ts',
  'client/restarts.ts',
  'client/since.ts',
  'client/spool-look.ts',
  'client/spool.ts',
  'client/wire.ts',
  'decisions/handlers/warm-worker.ts',
  'events/hook-event.ts',
  'events/ids.ts',
  'events/message.ts',
  'events/names.ts',
  'events/sdk-line.ts',
  'events/verdict.ts',
  'insight/schema/source.ts',
  'insight/search/worker.ts',
  'insight/transcripts/conversation.ts',
  'journal/listing.ts',
  'journal/page.ts',
  'journal/query-process.ts',
  'otlp/worker.ts',
  'sessions/state/dialects.ts',
  'sessions/state/look.ts',
  'sessions/state/phase.ts',
  'sessions/state/tree.ts',
  'shell/command.ts',
  'store/tables/row-types.ts',
  'timeline/entry.ts',
  'timeline/lanes.ts',
  'timeline/line.ts',
  'timeline/perfetto.ts',
  'timeline/style.ts',
  'tmux/act.ts',
  'tmux/pane.ts',
  'tmux/settings.ts',
  'work/settings.ts',
]

/** What people and programs use sees the daemon through its client. These are the exceptions, and why. */
const SURFACES: Readonly<Record<string, readonly string[]>> = {
  sdk: [],
  install: [],
  run: ['work'], // the variables of an effort
  replay: [],
  tui: ['tmux'], // jumps to a pane
  mcp: [],
  web: [], // its types only, and what is pure
  // Runs the daemon, reads the journal beside it, writes a hub's files.
  cli: ['bus', 'daemon', 'decisions', 'insight', 'journal', 'otlp', 'store', 'tmux'],
}

interface Import {
  readonly file: string
  readonly from: string
  readonly to: string
  /** Path of the imported file inside src. */
  readonly target: string
}

const layers = readLayers()
const imports = allImports()

describe('the layers', () => {
  test('every folder is one, and every layer is a folder', () => {
    const folders = readdirSync(SRC, { withFileTypes: true })
    expect(folders.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([])
    const tops = new Set(layers.map((layer) => layer.split('/')[0] ?? ''))
    expect(folders.map(({ name }) => name).sort()).toEqual([...tops].sort())
    expect(imports.length).toBeGreaterThan(1000)
  })

  test('a folder imports only from folders above it', () => {
    const wrong = imports.filter(({ from, to }) => layers.indexOf(to) > layers.indexOf(from))
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test('neighbours use the doors', () => {
    const isDoor = (path: string) => DOORS.includes(path.split('/').at(-1) ?? '') || SIDE_DOORS.includes(path)
    const free = ['core', 'redaction'] // single tools, each for itself
    const wrong = imports.filter(
      ({ from, to, target }) => from !== 'daemon' && !free.includes(to) && !isDoor(target),
    )
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test('surfaces see the daemon through its client', () => {
    const inside = layers.slice(layers.indexOf('journal'), layers.indexOf('daemon') + 1)
    const hidden = ['store', ...inside]
    const wrong = imports.filter(
      ({ from, to }) => SURFACES[from] && hidden.includes(to) && !SURFACES[from].includes(to),
    )
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test('every layer has a front door that says what it is', () => {
    const entered = imports.filter(({ from, to }) => from !== 'daemon' && to !== 'core')
    for (const layer of new Set(['cli', ...entered.map(({ to }) => to)])) {
      const door = join(SRC, layer, layer === 'cli' ? 'main.ts' : 'index.ts')
      expect(existsSync(door), `${layer} has no front door`).toBe(true)
      expect(readFileSync(door, 'utf8').startsWith('/**'), `${layer}'s front door says nothing`).toBe(true)
    }
  })
})

/** Rows `| \`folder/\` | owns |` of the project's ARCHITECTURE.md, in their order. */
function readLayers(): string[] {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  return [...text.matchAll(/^\| `([\w/]+)\/` \|[^|]*\|$/gm)].map((row) => row[1] ?? '')
}

function layerOf(path: string): string {
  return (
    layers.find((layer) => layer.includes('/') && path.startsWith(`${layer}/`)) ?? path.split('/')[0] ?? ''
  )
}

/** All imports from one layer of another, of the code and not of its tests. */
function allImports(): Import[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|testkit\.ts$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(SRC, name), 'utf8')
      const paths = [...text.matchAll(/(?:\bfrom|\bimport\(?|\brequire\()\s*'(\.[^']+)'/g)]
      return [...new Set(paths.map((match) => match[1] ?? ''))].map((path) => {
        const target = relative(SRC, resolve(SRC, dirname(name), path))
        return { file: join('src', name), from: layerOf(name), to: layerOf(target), target }
      })
    })
    .filter(({ from, to, target }) => from !== to && !target.startsWith('..'))
}
