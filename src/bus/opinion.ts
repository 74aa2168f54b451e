/**
 * What a handler thinks of an event, and what becomes of the verdict by it.
 *
 *   readOpinion('{"block":true,"reason":"no"}')      // { block: true, reason: 'no', inject: [], warnings: [] }
 *   withOpinion(verdict, opinion, 'guard', 'Stop')   // block-stop, by handler:guard
 */
import type { Verdict } from '../events/index.ts'

export interface Opinion {
  readonly block: boolean
  readonly reason?: string
  /** Texts for the model. */
  readonly inject: readonly string[]
  /** Texts for the person. */
  readonly warnings: readonly string[]
}

export const NO_OPINION: Opinion = { block: false, inject: [], warnings: [] }

/** Where a block does not refuse something but keeps the turn going. */
const STOPS: ReadonlySet<string> = new Set(['Stop', 'SubagentStop'])

/** Nothing printed is no opinion; undefined is what cannot be understood. A last line counts after other talk. */
export function readOpinion(stdout: string): Opinion | undefined {
  const text = stdout.trim()
  if (text === '') return NO_OPINION
  const said = parsed(text) ?? parsed(text.slice(text.lastIndexOf('\n') + 1))
  if (!said) return undefined
  const reason = typeof said.reason === 'string' && said.reason.trim() !== '' ? said.reason : undefined
  return {
    block: said.block === true,
    ...(reason === undefined ? {} : { reason }),
    inject: texts(said.inject),
    warnings: texts(said.warnings),
  }
}

/** A refusal by exit code, as agents know it from their own hooks. bd's bus writes its reason as JSON. */
export function blockBy(stderr: string, opinion: Opinion): Opinion {
  const text = stderr.trim()
  const said = parsed(text)
  const reason = typeof said?.reason === 'string' ? said.reason : text || opinion.reason
  return { ...opinion, block: true, ...(reason === undefined ? {} : { reason }) }
}

/** The verdict itself when there is nothing to add. */
export function withOpinion(verdict: Verdict, opinion: Opinion, id: string, type: string): Verdict {
  const { block, reason = `Blocked by the handler ${id}.`, inject, warnings } = opinion
  if (!block && inject.length === 0 && warnings.length === 0) return verdict
  const systemMessage = [verdict.systemMessage, ...warnings].filter(Boolean).join('\n')
  return {
    ...verdict,
    ...(inject.length > 0 ? { context: [...(verdict.context ?? []), ...inject] } : {}),
    ...(systemMessage === '' ? {} : { systemMessage }),
    ...(block ? { decision: STOPS.has(type) ? 'block-stop' : 'deny', reason, by: `handler:${id}` } : {}),
  }
}

/** Nobody who comes later can change it. */
export function isFinal({ decision }: Verdict): boolean {
  return decision === 'deny' || decision === 'ask' || decision === 'block-stop'
}

function parsed(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Record<string, unknown> // it begins with a brace, so it is an object
  } catch {
    return undefined
  }
}

function texts(value: unknown): string[] {
  return [value].flat().filter((text): text is string => typeof text === 'string' && text !== '')
}
