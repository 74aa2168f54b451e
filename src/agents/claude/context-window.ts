/**
 * How many tokens a model of Claude's holds, by its name, as the table of models in Claude Code 2.1.325 has it. A run
 * without a terminal has no status line, and its hooks do not say it.
 */
export const SMALL_WINDOW = 200_000
export const LARGE_WINDOW = 1_000_000

/** Undefined for a name that is none of Claude's. `[1m]` behind it asks for the large window where there is a choice. */
export function contextWindowOf(model: string): number | undefined {
  if (!model.includes('claude')) return undefined
  if (LARGE_MARK.test(model)) return LARGE_WINDOW
  const [, family, major = '0', minor = '0'] = /claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?!\d)/.exec(model) ?? []
  const isLarge = Number(major) >= 5 || (family === 'opus' && Number(major) === 4 && Number(minor) >= 7)
  return isLarge ? LARGE_WINDOW : SMALL_WINDOW
}

/** The name as requests and answers have it. */
export function plainModel(model: string): string {
  return model.replace(LARGE_MARK, '')
}

const LARGE_MARK = /\[1m\]$/i
