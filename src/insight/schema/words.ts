/** A difference as one line of text. */
import type { Difference } from '../../rpc/index.ts'

/** `Stop: new field "brand_new" (integer)`. */
export function differenceText(one: Difference): string {
  const where = [one.event, one.tool].filter(Boolean).join(' ')
  return where === '' ? changeText(one) : `${where}: ${changeText(one)}`
}

/** The same without the event. */
export function changeText({ kind, path, before = '', after = '' }: Difference): string {
  switch (kind) {
    case 'new-event':
      return `new event`
    case 'gone-event':
      return `the event no longer exists`
    case 'new-structure':
      return `structure was unknown: ${after}`
    case 'renamed-tool':
      return `tool "${before}" is now "${after}"`
    case 'new-field':
      return `new field "${path}"${after && ` (${after})`}`
    case 'missing-field':
      return `field "${path}" is missing`
    case 'renamed-field':
      return `field "${before}" is now "${after}"`
    case 'changed-type':
      return `"${path}" is ${after}, was ${before}`
    case 'new-type':
      return `"${path}" may be ${after}, was ${before}`
    case 'new-value':
      return `"${path}" has a new value "${after}"`
    case 'now-optional':
      return `"${path}" is no longer in every payload (${after})`
  }
}
