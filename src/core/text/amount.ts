/** What was used of a budget, with its unit. Pure. */
export function amount(cap: 'cost_usd' | 'tokens' | 'tool_calls' | 'wall_minutes', value: number): string {
  switch (cap) {
    case 'cost_usd':
      return `$${value.toFixed(2)}`
    case 'tokens':
      return `${Math.round(value).toLocaleString('en')} tokens`
    case 'tool_calls':
      return `${Math.round(value).toLocaleString('en')} tool call${Math.round(value) === 1 ? '' : 's'}`
    case 'wall_minutes':
      return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} min`
  }
}
