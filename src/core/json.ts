import { isObject } from './is-object.ts'

/** Parses JSON; undefined if the text is missing or not valid JSON. */
export function jsonIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** Like `jsonIn`, but undefined also for anything that is not an object. */
export function objectIn(text: string | undefined): Record<string, unknown> | undefined {
  const value = jsonIn(text)
  return isObject(value) ? value : undefined
}
