/**
 * What a handler thinks of an event, and what becomes of the verdict by it.
 *
 *   readOutput('{"block":true,"reason":"no"}')      // { block: true, reason: 'no', inject: [], warnings: [] }
 *   withOutput(verdict, output, 'guard', 'Stop')    // block-stop, by handler:guard
 */
import { isObject } from '../../core/is-object.ts'
import { objectIn } from '../../core/json.ts'
import type { Verdict } from '../../events/index.ts'
import { isStop } from '../verdicts.ts'

export interface HandlerOutput {
  readonly block: boolean
  /** A person is to be asked; a block is more. */
  readonly ask?: true
  /** The tool may run without a question, unless somebody objects. Commands cannot say it: their output may come from a model. */
  readonly approve?: true
  readonly reason?: string
  /** The input that the tool is to get instead. */
  readonly input?: Readonly<Record<string, unknown>>
  /** Texts for the model. */
  readonly inject: readonly string[]
  /** Texts for the person. */
  readonly warnings: readonly string[]
}

export const NO_OUTPUT: HandlerOutput = { block: false, inject: [], warnings: [] }

/** A handler that prints nothing has no opinion; undefined is what cannot be understood. A last line counts after other talk. */
export function readOutput(stdout: string): HandlerOutput | undefined {
  const text = stdout.trim()
  if (text === '') return NO_OUTPUT
  const said = parsed(text) ?? parsed(text.slice(text.lastIndexOf('\n') + 1))
  return said && outputIn(said)
}

/** Undefined if the output is not understood. */
export function outputIn(said: Readonly<Record<string, unknown>>): HandlerOutput | undefined {
  if (!isUnderstood(said)) return undefined
  const { hookSpecificOutput: own } = said
  const { permissionDecision, permissionDecisionReason } = isObject(own) ? own : {}
  const decision = permissionDecision ?? said.decision
  const why = permissionDecisionReason ?? said.reason
  const reason = typeof why === 'string' && why.trim() !== '' ? why : undefined
  return {
    block: said.block === true || decision === 'deny' || decision === 'block',
    ...(said.ask === true || decision === 'ask' ? { ask: true } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(isObject(said.input) ? { input: said.input } : {}),
    inject: texts(said.inject),
    warnings: texts(said.warnings),
  }
}

/** As gantry's own, and as agents' hooks answer: {"decision":"deny"}, or Claude Code's hookSpecificOutput. */
const KEYS = ['block', 'ask', 'reason', 'input', 'inject', 'warnings', 'decision', 'hookSpecificOutput']
/** What hooks print that lets everything pass. */
const PASSING = ['continue', 'suppressOutput', 'systemMessage']
const DECISIONS: readonly unknown[] = [undefined, null, 'deny', 'block', 'ask', 'allow', 'approve', 'none']

/** An answer with other keys or words grants nothing: gantry counts it, and doctor reports it. */
function isUnderstood(said: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(said)
  const { hookSpecificOutput: own } = said
  const inner = isObject(own) ? own.permissionDecision : undefined
  if (!DECISIONS.includes(said.decision) || !DECISIONS.includes(inner)) return false
  return keys.length === 0 || keys.some((key) => KEYS.includes(key) || PASSING.includes(key))
}

/** A refusal by exit code, as agents know it from their own hooks. bd's bus writes its reason as JSON. */
export function blockBy(stderr: string, output: HandlerOutput): HandlerOutput {
  const text = stderr.trim()
  const said = parsed(text)
  const reason = typeof said?.reason === 'string' ? said.reason : text || output.reason
  return { ...output, block: true, ...(reason === undefined ? {} : { reason }) }
}

/** The verdict itself when there is nothing to add. */
export function withOutput(verdict: Verdict, output: HandlerOutput, id: string, type: string): Verdict {
  const { inject, warnings, input } = output
  const said = decisionOf(verdict, output, id, isStop(type))
  if (!said && input === undefined && inject.length === 0 && warnings.length === 0) return verdict
  const systemMessage = [verdict.systemMessage, ...warnings].filter(Boolean).join('\n')
  return {
    ...verdict,
    ...(input === undefined ? {} : { input, by: verdict.by ?? `handler:${id}` }),
    ...(inject.length > 0 ? { context: [...(verdict.context ?? []), ...inject] } : {}),
    ...(systemMessage === '' ? {} : { systemMessage }),
    ...said,
  }
}

/** Nobody can be asked whether a turn may end. */
function decisionOf(
  { decision }: Verdict,
  output: HandlerOutput,
  id: string,
  isEnd: boolean,
): Partial<Verdict> | undefined {
  const { block, ask, approve, reason } = output
  const by = `handler:${id}`
  if (block)
    return { decision: isEnd ? 'block-stop' : 'deny', reason: reason ?? `Blocked by the handler ${id}.`, by }
  if (isEnd) return undefined
  if (ask) return { decision: 'ask', reason: reason ?? `The handler ${id} wants a person to decide.`, by }
  if (!approve || decision !== 'none') return undefined
  return { decision: 'allow', ...(reason === undefined ? {} : { reason }), by }
}

function parsed(text: string): Record<string, unknown> | undefined {
  return text.startsWith('{') ? objectIn(text) : undefined
}

function texts(value: unknown): string[] {
  return [value].flat().filter((text): text is string => typeof text === 'string' && text !== '')
}
