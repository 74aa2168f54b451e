/** Finds the commands in the text of a fix, so that each can be copied. */

/** Where the words go on after a command: `gantry bus dead-letters shows why`. */
const VERBS = 'shows|sends|lists|tells|has|wires|rewrites|removes|to'
const COMMAND = new RegExp(
  `(?<=^|[:;,] )((?:gantry|npm|chmod|sudo|less|sqlite3|rm -r|kill) \\S(?:(?!\\. |; | {2,}|, |\\.$| \\(| (?:${VERBS}) ).)*)`,
  'g',
)

/** `Look: gantry schema diff   Accept: gantry schema baseline` → both commands. */
export function commandsIn(fix: string): string[] {
  return [...new Set([...fix.matchAll(COMMAND)].map(({ 1: text = '' }) => text.trim()))]
}
