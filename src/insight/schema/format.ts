/**
 * The format of a string: an id, a path, a time. Called for every string of every payload, so cheap checks come first.
 */
const MAX_FORMAT_CHARS = 500 // no known format is that long
const UUID_CHARS = 36
const MAX_HEX_CHARS = 64

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const PATH = /^(?:\/|~\/|[A-Za-z]:\\)[^\n]*$/
const URI = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i
const ID = /^(?:toolu|call|msg|req|resp|agent|task)[_-][\w-]{6,}$/
const HEX = /^[0-9a-f]{7,64}$/

export function formatOf(text: string): string | undefined {
  const { length } = text
  if (length === 0 || length > MAX_FORMAT_CHARS) return undefined
  if (length === UUID_CHARS && text[8] === '-' && UUID.test(text)) return 'uuid'
  if (text[4] === '-' && DATE_TIME.test(text)) return 'date-time'
  if ((text[0] === '/' || text[0] === '~' || text[1] === ':') && PATH.test(text)) return 'path'
  if (text.includes('://') && URI.test(text)) return 'uri'
  if ((text.includes('_') || text.includes('-')) && ID.test(text)) return 'id'
  return length <= MAX_HEX_CHARS && HEX.test(text) ? 'hex' : undefined
}
