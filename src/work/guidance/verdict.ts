/** Turns a hook's result into text for the agent. */
import type { Verdict } from '../../events/index.ts'

export function contextVerdict(context: readonly (string | null | undefined)[]): Verdict | undefined {
  const words = context.filter((one): one is string => typeof one === 'string' && one !== '')
  return words.length === 0 ? undefined : { decision: 'none', context: words, by: 'work' }
}

/** Injections come from an effort's metadata: strings, or objects that contain one. */
export function injectionText(injection: unknown): string {
  if (typeof injection === 'string') return injection
  const { content, text, message } = (injection ?? {}) as Record<string, unknown>
  const said = [content, text, message].find((one) => typeof one === 'string')
  return typeof said === 'string' ? said : JSON.stringify(injection)
}
