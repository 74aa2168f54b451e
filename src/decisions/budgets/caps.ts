/** Each cap with the place of its figure in what was used, and how many of its units one of ours is. */
export const CAPS = {
  cost_usd: { of: 'costUsd', unit: 1 },
  tokens: { of: 'tokens', unit: 1 },
  tool_calls: { of: 'toolCalls', unit: 1 },
  wall_minutes: { of: 'wallMs', unit: 60_000 },
} as const

export type Cap = keyof typeof CAPS
export const CAP_NAMES = Object.keys(CAPS) as Cap[]
