/**
 * The first step of npm run docs: generates the tables copied from the agents' records, so that the hook client, the
 * reducer and handlers need not load the records.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CopiedFacts } from '../../src/agents/facts.ts'
import { type Agent, agents } from '../../src/agents/index.ts'

const ROOT = join(import.meta.dir, '../..')
const NOTE = 'Made by "npm run docs" from the agents\' records. Edit those.'

/** Path in the checkout → text. */
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

/** The type requires every fact. */
function factsIn(agent: Agent): { [K in keyof Required<CopiedFacts>]: CopiedFacts[K] | undefined } {
  const { id, glyph, env, lastingEnv, projectVariable, pidVariable, inProcess, marks } = agent
  const { ownFiles, asksBy, askOnlyFields, clearsContext, turnReport, tools, settings } = agent
  const deciders = (settings?.hooks ?? []).flatMap(({ event, held }) => (held ? [event] : []))
  const variables = { env, lastingEnv, projectVariable, pidVariable, inProcess, marks }
  return {
    id,
    glyph,
    ...variables,
    tools,
    ownFiles,
    asksBy,
    askOnlyFields,
    clearsContext,
    turnReport,
    deciders,
  }
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(agentTables())) writeFileSync(join(ROOT, file), text)
}
