/**
 * The first half of npm run docs: what is copied from the agents' records, so that the hook client, the reducer and
 * handlers need not load them; and what the native client shares with its twin in TypeScript.
 *
 *   bun scripts/agent-tables.ts
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CopiedFacts } from '../src/agents/facts.ts'
import { type Agent, agents } from '../src/agents/index.ts'

const ROOT = join(import.meta.dir, '..')
const NOTE = 'Made by "npm run docs" from the agents\' records. Edit those.'
const COLUMNS = 110

/** Path below the checkout → text. Nothing here may load what is made here. */
export function agentTables(): Record<string, string> {
  const list = [...agents.values()]
  const nameOf = ({ id }: Agent) => id.replaceAll('-', '_')
  return {
    'src/agents/facts.gen.ts': [
      `/** ${NOTE} */`,
      "import type { CopiedFacts } from './facts.ts'",
      '',
      `export const AGENT_NAMES = ${JSON.stringify(list.map(({ id }) => id))} as const`,
      '',
      `export const FACTS: readonly CopiedFacts[] = ${JSON.stringify(list.map(factsIn), null, 2)}`,
      '',
    ].join('\n'),
    'src/agents/read.gen.ts': [
      `/** ${NOTE} */`,
      "import type { Reader } from './read.ts'",
      ...list.map((agent) => `import { read as ${nameOf(agent)} } from './${agent.id}/read.ts'`),
      '',
      'export const READERS: ReadonlyMap<string, Reader> = new Map([',
      ...list.map((agent) => `  ['${agent.id}', ${nameOf(agent)}],`),
      '])',
      '',
    ].join('\n'),
  }
}

/** The type lets no fact be forgotten. */
function factsIn(agent: Agent): { [K in keyof Required<CopiedFacts>]: CopiedFacts[K] | undefined } {
  const { id, glyph, env, lastingEnv, projectVariable, pidVariable, inProcess, marks } = agent
  const { ownFiles, askOnlyFields, clearsContext, settings } = agent
  const deciders = (settings?.hooks ?? []).flatMap(({ event, held }) => (held ? [event] : []))
  const variables = { env, lastingEnv, projectVariable, pidVariable, inProcess, marks }
  return { id, glyph, ...variables, ownFiles, askOnlyFields, clearsContext, deciders }
}

/** Loads the tables, so they have to be written before. */
export async function nativeTable(): Promise<Record<string, string>> {
  const wire = await import('../src/client/wire.ts')
  const hook = await import('../src/client/hook.ts')
  const spool = await import('../src/client/spool.ts')
  const kept = await import('../src/core/kept-environment.ts')
  const numbers = Object.entries({ ...wire, ...hook, ...spool, ...kept }).flatMap(([name, value]) =>
    typeof value === 'number' ? [`#define ${name} ${name.endsWith('_MODE') ? octal(value) : value}`] : [],
  )
  const keptBeside = kept.OWNERS_ENV.filter((name) => !(kept.DAEMON_ENV as readonly string[]).includes(name))
  const text = [
    '/* Made by "npm run docs" from src/client, src/core/kept-environment.ts and the agents\' records. Edit those. */',
    ...numbers,
    `#define DAEMON_PATH "${kept.DAEMON_PATH}"`,
    listInC('ENV_ALLOW_LIST', wire.ENV_ALLOW_LIST),
    listInC('DECIDERS', [...wire.DECIDERS]),
    listInC('DAEMON_ENV', kept.DAEMON_ENV),
    '/* What is kept beside these: OWNERS_ENV of the twin. */',
    listInC('KEPT_ENV', [...keptBeside, 'GANTRY_HOME']),
    '',
  ]
  return { 'native/tables.gen.h': text.join('\n') }
}

function octal(value: number): string {
  return `0${value.toString(8)}`
}

function listInC(name: string, values: readonly string[]): string {
  const lines = ['   ']
  for (const value of values) {
    const word = ` "${value}",`
    const fits = `${lines.at(-1)}${word}`.length <= COLUMNS
    if (fits) lines.push(`${lines.pop()}${word}`)
    else lines.push(`   ${word}`)
  }
  return [`static const char *const ${name}[] = {`, ...lines, '};'].join('\n')
}

if (import.meta.main) {
  for (const tables of [agentTables, nativeTable])
    for (const [file, text] of Object.entries(await tables())) writeFileSync(join(ROOT, file), text)
}
