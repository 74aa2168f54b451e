/**
 * List prices of models, with their date. A model that is missing has no price: its tokens are counted, and no amount is
 * guessed. Prices are those of the providers' own APIs, without discounts and subscriptions.
 *
 *   costOf('claude-opus-4-5-20251101', counts)   // in US dollars, or undefined
 */
import type { TokenCounts } from '../../events/index.ts'

/** US dollars per million tokens. */
interface Rates {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  /** Absent if a cache write costs as much as other input. */
  readonly cacheWrite5m?: number
  readonly cacheWrite1h?: number
}

export interface Price extends Rates {
  readonly models: readonly string[]
  /** For requests whose whole prompt is longer. */
  readonly long?: Rates & { readonly aboveTokens: number }
  /** The last day of validity, if the provider named one. */
  readonly until?: string
}

interface PriceList {
  readonly provider: string
  readonly source: string
  /** The date of the price page. */
  readonly asOf: string
  readonly prices: readonly Price[]
}

/** Anthropic's multiples: a five-minute cache write costs 1.25 times the input, a one-hour write twice. */
function claude(models: readonly string[], input: number, output: number, cacheRead: number): Price {
  return { models, input, output, cacheRead, cacheWrite5m: input * 1.25, cacheWrite1h: input * 2 }
}

function plain(models: readonly string[], input: number, output: number, cacheRead: number): Price {
  return { models, input, output, cacheRead }
}

export const PRICES: readonly PriceList[] = [
  {
    provider: 'Anthropic',
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    asOf: '2026-10',
    prices: [
      claude(['claude-fable-5-1'], 10, 50, 0.25),
      claude(['claude-fable-5'], 10, 50, 1),
      claude(['claude-opus-5-5'], 4, 20, 0.2),
      claude(
        ['claude-opus-5', 'claude-opus-4-8', 'claude-opus-4-7', 'claude-opus-4-6', 'claude-opus-4-5'],
        5,
        25,
        0.5,
      ),
      claude(['claude-opus-4-1', 'claude-opus-4-0', 'claude-opus-4'], 15, 75, 1.5),
      claude(['claude-sonnet-5-5', 'claude-sonnet-5'], 2, 10, 0.2),
      claude(['claude-haiku-4-5'], 1, 5, 0.1),
      claude(['claude-3-5-haiku'], 0.8, 4, 0.08),
    ],
  },
  {
    provider: 'Anthropic',
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    asOf: '2025-11',
    prices: [
      {
        ...claude(['claude-sonnet-4-5', 'claude-sonnet-4-0', 'claude-sonnet-4'], 3, 15, 0.3),
        long: {
          aboveTokens: 200_000,
          input: 6,
          output: 22.5,
          cacheRead: 0.6,
          cacheWrite5m: 7.5,
          cacheWrite1h: 12,
        },
      },
    ],
  },
  {
    provider: 'OpenAI',
    source: 'https://developers.openai.com/api/docs/pricing',
    asOf: '2026-06',
    prices: [
      plain(['gpt-5', 'gpt-5-codex', 'gpt-5.1', 'gpt-5.1-codex', 'gpt-5.1-codex-max'], 1.25, 10, 0.125),
      plain(['gpt-5.2', 'gpt-5.2-codex', 'gpt-5.3-codex'], 1.75, 14, 0.175),
      plain(['gpt-5.4'], 2.5, 15, 0.25),
      plain(['gpt-5.4-mini'], 0.75, 4.5, 0.075),
      plain(['gpt-5.4-nano'], 0.2, 1.25, 0.02),
      plain(['gpt-5.5'], 5, 30, 0.5),
    ],
  },
  {
    provider: 'Google',
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    asOf: '2026-10',
    prices: [
      {
        ...plain(['gemini-2.5-pro'], 1.25, 10, 0.125),
        long: { aboveTokens: 200_000, input: 2.5, output: 15, cacheRead: 0.25 },
      },
      plain(['gemini-2.5-flash'], 0.3, 2.5, 0.03),
      plain(['gemini-2.5-flash-lite'], 0.1, 0.4, 0.01),
      { ...plain(['gemini-3.8-flash'], 0.75, 3.75, 0.075), until: '2026-12-31' },
    ],
  },
  {
    provider: 'Google',
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    asOf: '2026-07',
    prices: [plain(['gemini-3-flash-preview'], 0.5, 3, 0.05)], // used by Gemini CLI's investigator
  },
]

const BY_MODEL: ReadonlyMap<string, Price> = new Map(
  PRICES.flatMap(({ prices }) =>
    prices.flatMap((price) => price.models.map((model) => [model, price] as const)),
  ),
)

/** Snapshot date, window size, or platform. */
const SUFFIX = /(?:-\d{8}|-\d{4}-\d{2}-\d{2}|-latest|@[\w-]+|\[\w+\])+$/

export function priceOf(model: string, at: number): Price | undefined {
  const price = BY_MODEL.get(model) ?? BY_MODEL.get(model.replace(SUFFIX, ''))
  if (price?.until !== undefined && at > Date.parse(`${price.until}T23:59:59Z`)) return undefined
  return price
}

/** Cost of one request; a long prompt may have its own price. */
export function costOf(model: string, counts: TokenCounts, at: number): number | undefined {
  const price = priceOf(model, at)
  if (!price) return undefined
  const prompt = counts.input + counts.cacheRead + counts.cacheWrite5m + counts.cacheWrite1h
  const rates = price.long && prompt > price.long.aboveTokens ? price.long : price
  const millionths =
    counts.input * rates.input +
    counts.cacheRead * rates.cacheRead +
    counts.cacheWrite5m * (rates.cacheWrite5m ?? rates.input) +
    counts.cacheWrite1h * (rates.cacheWrite1h ?? rates.input) +
    counts.output * rates.output
  return millionths / 1_000_000
}
