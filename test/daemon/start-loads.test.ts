/**
 * A daemon is there at once because it loads at its start what a hook needs, and no more. What creeps back in fails here;
 * whatever is new on these lists belongs behind an `import()` where it is used.
 */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { makeHome, ROOT, run } from '../kit.ts'

const DEADLINE_MS = 60_000 // three hundred files on a busy machine
const PROGRAM = join(import.meta.dir, 'loaded-modules.ts')

/** Loaded by the first call, the first subscription, the first effort, a configuration, or an hour later. */
const LATER = [
  /^src\/(?!rpc\/).+\/(.+-)?rpc\.ts$/,
  /^src\/(rpc\/calls\/|daemon\/all-calls)/,
  /^src\/(daemon\/report|journal\/event-query|bus\/requests|server\/bus-sse|insight\/schema\/registry)\.ts$/,
  /^src\/daemon\/config\/(schema|file)\.ts$/,
  /^src\/(bus\/webhooks|bus\/nats|decisions\/approvals|insight|notify|otlp|server|sessions)\/config\.ts$/,
  /^src\/(shell\/|decisions\/guards\/(?!service))/,
  /^src\/work\/(?!service)/,
  /^src\/server\/page\/(?!paths)/,
  /^src\/client\/(connection|hook|bus)\.ts$/,
  /^src\/decisions\/handlers\/warm-(file|worker)\.ts$/,
  /^src\/bus\/(nats-run|nats\/(link|server|server-process))\.ts$/,
  /^src\/insight\/search\/(?!search)/,
  /^src\/otlp\/(?!service)/,
  /^src\/daemon\/metrics\/(index|collect|exposition)/,
  /^src\/(mcp|install|cli|tui|run|replay|sdk)\//,
  /^node_modules\//,
]

/** Of the runtime's own: these load a good deal of it. */
const HEAVY =
  /^import (?!type)[^;]*? from '(node:(?:crypto|net|http|https|child_process|readline|stream|util|zlib))'/gm

/** What a configuration costs: its parser, zod, and the schemas of its tables. */
const CONFIGURATION = [
  /^node_modules\/(zod|toml-eslint-parser|eslint-visitor-keys)\//,
  /^src\/(core\/without-undefined|daemon\/config\/[\w-]+)\.ts$/,
  /^src\/(\w+\/){1,2}config\.ts$/,
]

test(
  'a start loads what a hook needs, a configuration what checks it, and the rest comes when it is quiet',
  async () => {
    const { exit, stdout, stderr } = await run([process.execPath, PROGRAM], makeHome())
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const [loaded = [], started = [], rested = []] = stdout.trim().split('\n').map(modulesOf)

    expect(loaded).toContain('src/ingest/pipeline.ts')
    expect(loaded.filter((file) => LATER.some((pattern) => pattern.test(file)))).toEqual([])
    expect(loaded.filter((file) => file.endsWith('.ts')).flatMap(heavyOf)).toEqual([])

    const forConfig = started.filter((file) => !loaded.includes(file))
    expect(forConfig).toContain('src/daemon/config/schema.ts')
    expect(forConfig.filter((file) => !CONFIGURATION.some((pattern) => pattern.test(file)))).toEqual([])

    // Nobody has called: an upgrade may replace the files now, and "gantry down" is still answered.
    expect(rested).toContain('src/daemon/all-calls.ts')
    expect(rested).toContain('src/work/index.ts')
  },
  DEADLINE_MS,
)

function modulesOf(line: string): string[] {
  const files = JSON.parse(line) as string[]
  return files.map((file) => relative(ROOT, file).replace(/^.*node_modules\//, 'node_modules/'))
}

function heavyOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(HEAVY)].map(([, name]) => `${file} imports ${name}`)
}
