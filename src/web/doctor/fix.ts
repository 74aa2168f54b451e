/** Commands in the words of a fix, so that each can be copied alone. */

const COMMAND =
  /(?<=^|: )((?:gantry|npm|chmod|sudo|less|sqlite3|rm -r|kill) \S(?:(?!\. |; | {2,}|, |\.$| \(| (?:wires|rewrites|removes|to) ).)*)/g
/** Prose that begins like a command. */
const PROSE = /^\S+ \S+ (?:wires|rewrites|removes|to) /

/** `Look: gantry schema diff   Accept: gantry schema baseline` → both commands. */
export function commandsIn(fix: string): string[] {
  const found = [...fix.matchAll(COMMAND)].flatMap(({ 1: text = '', index }) =>
    PROSE.test(fix.slice(index)) ? [] : [text.trim()],
  )
  return [...new Set(found)]
}
