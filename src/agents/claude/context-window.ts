/**
 * Context windows of Claude's models by name, from the model table of Claude Code 2.1.325. A run without a terminal has no
 * status line, and its hooks do not report the window.
 */
export const SMALL_WINDOW = 200_000
export const LARGE_WINDOW = 1_000_000

/** Undefined for other vendors' models. The suffix `[1m]` asks for the large window where there is a choice. */
export function contextWindowOf(model: string): number | undefined {
  if (!model.includes('claude')) return undefined
  if (LARGE_MARK.test(model)) return LARGE_WINDOW
  const [, family, major = '0', minor = '0'] = /claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?!\d)/.exec(model) ?? []
  const isLarge = Number(major) >= 5 || (family === 'opus' && Number(major) === 4 && Number(minor) >= 7)
  return isLarge ? LARGE_WINDOW : SMALL_WINDOW
}

/** The name as used in requests and responses. */
export function plainModel(model: string): string {
  return model.replace(LARGE_MARK, '')
}

const LARGE_MARK = /\[1m\]$/i
