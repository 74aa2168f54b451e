/** Prints the transcript of a session as Markdown or JSON, and its usage per turn. */
import { call, markdownOf, type UsageView } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { bold, dim, note, out, outJson, padTo, plain } from '../framework/terminal.ts'

const TOOL_CHARS = 2_000

export async function showTranscript(
  places: Places,
  session: string,
  limit: number,
  asJson: boolean,
): Promise<number> {
  const found = await call(places, 'sessions.transcript', { session, limit })
  if (asJson) return outJson(found)
  const { name, agent, title } = found.session
  const text = markdownOf(found.messages, { title: title ?? `${name} (${agent})`, toolChars: TOOL_CHARS })
  if (found.cut) note('older messages are left out; --limit shows more')
  out(plainLines(text))
  return 0
}

export async function showUsage(places: Places, session: string, asJson: boolean): Promise<number> {
  const usage = await call(places, 'sessions.usage', { session })
  if (asJson) return outJson(usage)
  if (usage.turns.length === 0) {
    out(
      'Its usage is unknown: the agent has not reported it, and there is no transcript that gantry can read.',
    )
    return 0
  }
  out(dim(rowOf('turn', 'model', ['requests', 'input', 'cached', 'written', 'output', 'cost'])))
  for (const turn of usage.turns) {
    const when = new Date(turn.turnAt).toISOString().slice(5, 16).replace('T', ' ')
    out(rowOf(turn.agentId ? `${when} sub` : when, turn.model, cells(turn)))
  }
  out(bold(rowOf('total', '', cells(usage.total))))
  out(
    dim(
      `Costs are what the agent says, else list prices as of ${usage.pricesAsOf}; "?" where one is not known.`,
    ),
  )
  return 0
}

function cells(row: Omit<UsageView, 'turn' | 'turnAt' | 'model' | 'agentId'>): string[] {
  const counts = [row.requests, row.input, row.cacheRead, row.cacheWrite, row.output]
  const cost = row.costUsd === null ? '?' : `$${row.costUsd.toFixed(4)}`
  return [...counts.map((count) => count.toLocaleString('en')), cost]
}

function rowOf(turn: string, model: string, values: readonly string[]): string {
  return `${turn.padEnd(17)}${padTo(plain(model).slice(0, 27), 28)}${values.map((value) => value.padStart(11)).join('')}`
}

/** Removes control sequences, and keeps the lines. */
function plainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => plain(line.replaceAll('\t', '  ')))
    .join('\n')
}
