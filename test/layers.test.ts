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
  'agents/tools/mcp-name.ts',
  'agents/tools/tool-call.ts',
  'bus/requests.ts',
  'client/approvals.ts',
  'client/bus.ts',
  'client/connection.ts',
  'client/hook.ts',
  'client/kept-down.ts',
  'client/kept-environment.ts',
  'client/known-names.ts',
  'client/nats-info.ts',
  'client/page-views.ts',
  'client/restarts.ts',
  'client/since.ts',
  'client/spool-look.ts',
  'client/wire.ts',
  'decisions/handlers/warm-worker.ts',
  'events/hook-event.ts',
  'events/ids.ts',
  'events/keys.ts',
  'events/message.ts',
  'events/names.ts',
  'events/sdk-line.ts',
  'events/verdict.ts',
  'insight/schema/source.ts',
  'insight/search/worker.ts',
  'insight/conversation.ts',
  'journal/listing.ts',
  'journal/page.ts',
  'journal/query-process.ts',
  'otlp/worker.ts',
  'rpc/rehearsal-report.ts',
  'sessions/state/dialects.ts',
  'sessions/state/look.ts',
  'sessions/state/phase.ts',
  'sessions/state/tree.ts',
  'shell/command.ts',
  'shell/united.ts',
  'store/kept.ts',
  'store/tables/row-types.ts',
  'timeline/entry.ts',
  'timeline/lanes.ts',
  'timeline/line.ts',
  'timeline/perfetto.ts',
  'tmux/act.ts',
  'tmux/jump.ts',
  'tmux/pane.ts',
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
const everyImport = allImports()
/** Those from one layer of another. */
const imports = everyImport.filter(({ from, to }) => from !== to)
/** Those that need a door: the daemon constructs, and core and redaction are single tools, each for itself. */
const entries = imports.filter(({ from, to }) => from !== 'daemon' && !['core', 'redaction'].includes(to))

describe('the layers', () => {
  test('every folder is one, and every layer is a folder', () => {
    const folders = readdirSync(SRC, { withFileTypes: true })
    expect(folders.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([])
    const tops = new Set(layers.map((layer) => layer.split('/')[0] ?? ''))
    expect(folders.map(({ name }) => name).sort()).toEqual([...tops].sort())
    expect(imports.length).toBeGreaterThan(1000)
  })

  test('no import hides in other quotes', () => {
    const text = "import a from './a.ts'\nawait import(`./b.ts`)\nrequire(\"./c.ts\")\nimport './d.ts'"
    expect(pathsIn(text)).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts'])
  })

  test('a folder imports only from folders above it', () => {
    const wrong = imports.filter(({ from, to }) => layers.indexOf(to) > layers.indexOf(from))
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test('folders beside each other inside a layer import in one direction', () => {
    const next = besides()
    const wrong = [...next.keys()].filter((folder) => reached(folder, next).has(folder))
    expect(wrong).toEqual([])
  })

  test('neighbours use the doors', () => {
    const isDoor = (path: string) => DOORS.includes(path.split('/').at(-1) ?? '') || SIDE_DOORS.includes(path)
    const wrong = entries.filter(({ target }) => !isDoor(target))
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test('each side door is used', () => {
    const used = new Set(entries.map(({ target }) => target))
    expect(SIDE_DOORS.filter((door) => !used.has(door))).toEqual([])
  })

  test('surfaces see the daemon through its client', () => {
    const inside = layers.slice(layers.indexOf('journal'), layers.indexOf('daemon') + 1)
    const hidden = ['store', ...inside]
    const wrong = imports.filter(
      ({ from, to }) => SURFACES[from] && hidden.includes(to) && !SURFACES[from].includes(to),
    )
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
    const isUsed = (surface: string, to: string) =>
      imports.some((one) => one.from === surface && one.to === to)
    for (const [surface, known] of Object.entries(SURFACES))
      expect(
        known.filter((one) => !hidden.includes(one) || !isUsed(surface, one)),
        surface,
      ).toEqual([])
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

/** What a file imports from other files, however it quotes them. */
function pathsIn(text: string): string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport\(?|\brequire\()\s*(['"`])(\.[^'"`]+)\1/g)
  return [...found].map((match) => match[2] ?? '')
}

/** All imports of the code and not of its tests. */
function allImports(): Import[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|testkit\.ts$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(SRC, name), 'utf8')
      return [...new Set(pathsIn(text))].map((path) => {
        const target = relative(SRC, resolve(SRC, dirname(name), path))
        return { file: join('src', name), from: layerOf(name), to: layerOf(target), target }
      })
    })
    .filter(({ target }) => !target.startsWith('..'))
}

/** Folder → the folders beside it that it imports, inside the layers. */
function besides(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { file, from, to, target } of everyImport) {
    if (from !== to) continue
    const [own, other] = [relative(SRC, join(ROOT, file)).split('/'), target.split('/')]
    const at = own.findIndex((part, i) => part !== other[i])
    if (at + 1 >= own.length || at + 1 >= other.length) continue // a file of the folder itself, or of one around it
    const folder = own.slice(0, at + 1).join('/')
    found.set(folder, (found.get(folder) ?? new Set()).add(other.slice(0, at + 1).join('/')))
  }
  return found
}

function reached(from: string, next: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const all = new Set(next.get(from))
  for (const folder of all) for (const more of next.get(folder) ?? []) all.add(more)
  return all
}
