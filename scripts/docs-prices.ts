/** Generates the page of prices from the table used to compute costs. */
import { PRICES, type Price } from '../src/agents/index.ts'

export function pricePage(note: string): string {
  const rows = PRICES.flatMap(({ provider, asOf, source, prices }) =>
    prices.flatMap((price) =>
      rowsOf(price).map((cells) => `| ${[...cells, `[${provider} ${asOf}](${source})`].join(' | ')} |`),
    ),
  )
  return [
    note,
    '# Prices\n',
    'US dollars per million tokens, as listed by the providers at the time, without discounts, subscriptions, batches and',
    'faster tiers. For a model that is not listed here, gantry counts tokens but no cost. If an agent reports its own cost,',
    'gantry shows that.\n',
    '| model | input | output | cache read | written, 5 min | written, 1 h | source |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function rowsOf(price: Price): string[][] {
  const names = price.models.map((model) => `\`${model}\``).join(', ')
  const until = price.until === undefined ? '' : `, until ${price.until}`
  const short = [`${names}${until}`, ...ratesOf(price)]
  if (!price.long) return [short]
  return [
    short,
    [`${names}, prompts above ${price.long.aboveTokens.toLocaleString('en')} tokens`, ...ratesOf(price.long)],
  ]
}

function ratesOf({
  input,
  output,
  cacheRead,
  cacheWrite5m = input,
  cacheWrite1h = input,
}: Omit<Price, 'models'>): string[] {
  return [input, output, cacheRead, cacheWrite5m, cacheWrite1h].map((rate) => String(rate))
}
