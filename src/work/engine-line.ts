/**
 * Whether a shell line is a command of the engine and nothing else. Such a command passes every guard, so whatever runs
 * beside it would, too: a line with a second command, a substitution or an output file is an ordinary one.
 *
 *   gantry effort log "parser done; tests next"     yes
 *   gantry effort log x && rm -rf build             no
 */
const COMMAND = /^(?:[\w./~-]*\/)?(?:gantry|engine)\s+(?:effort|task|session|sessions|fleet|log)(?=\s|$)/
const HERE_DOCUMENT = /<<-?[ \t]*(['"]?)([A-Za-z_]\w*)\1[ \t]*\n/
const QUOTED = /\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g
/** Where its complaints go, and a file it reads, are no second command. */
const HARMLESS = /\d?>&\d|\d?>[ \t]*\/dev\/null|<[ \t]*[\w./~-]+/g
const SUBSTITUTES = /`|\$\(/
const MORE = /[;&|<>()`\n]/

const MAX_LINE_CHARS = 200_000 // a dehydration payload and then some

export function isEngineLine(text: string): boolean {
  if (text.length > MAX_LINE_CHARS) return false
  const line = text.trim()
  if (!COMMAND.test(line)) return false
  const words = withoutDocument(line)
  return words !== undefined && isAlone(words)
}

/** The line without the text given to it; nothing when that text is not all that follows. */
function withoutDocument(line: string): string | undefined {
  const found = HERE_DOCUMENT.exec(line)
  if (!found) return line
  const [opening, quote, end] = found
  const body = line.slice(found.index + opening.length).split('\n')
  if (body.findIndex((one) => one.trim() === end) !== body.length - 1) return undefined
  if (quote === '' && SUBSTITUTES.test(body.join('\n'))) return undefined
  return line.slice(0, found.index)
}

function isAlone(words: string): boolean {
  let substitutes = false
  const bare = words.replace(QUOTED, (text) => {
    if (text.startsWith('"') && SUBSTITUTES.test(text)) substitutes = true
    return '_'
  })
  return !substitutes && !MORE.test(bare.replace(HARMLESS, ' ')) && !/['"]/.test(bare)
}
