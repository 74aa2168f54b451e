/** `{a,b{c,d}}` and `{1..9..2}` as the texts they stand for; nothing where there are more than `most`. */
export function braceAlternatives(text: string, most: number): string[] | undefined {
  const inner = text.slice(1, -1)
  const range = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(inner)
  if (range) return rangeOf(range[1] ?? '', range[2] ?? '', Number(range[3] ?? 1), most)
  const parts = splitTop(inner)
  return parts.length > most ? undefined : parts
}

function rangeOf(from: string, to: string, by: number, most: number): string[] | undefined {
  const isNumber = /\d/.test(from)
  if (isNumber !== /\d/.test(to)) return undefined
  const code = (text: string) => (isNumber ? Number(text) : text.charCodeAt(0))
  const [start, end, step] = [code(from), code(to), Math.abs(by) || 1]
  const count = Math.floor(Math.abs(end - start) / step) + 1
  if (!(count <= most)) return undefined
  const isPadded = isNumber && [from, to].some((one) => /^-?0\d/.test(one))
  const width = isPadded ? Math.max(from.length, to.length) : 0
  return Array.from({ length: count }, (_, i) => {
    const value = start + (end < start ? -step : step) * i
    if (!isNumber) return String.fromCharCode(value)
    return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')
  })
}

/** Splits at the commas that stand outside of quotes, braces and parentheses. */
function splitTop(inner: string): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  let quote = ''
  for (let i = 0; i < inner.length; i++) {
    const char = inner[i] ?? ''
    if (char === '\\' && quote !== "'") i++
    else if (quote) quote = char === quote ? '' : quote
    else if (char === '"' || char === "'" || char === '`') quote = char
    else if (char === '{' || char === '(') depth++
    else if (char === '}' || char === ')') depth--
    else if (char === ',' && depth === 0) {
      parts.push(inner.slice(start, i))
      start = i + 1
    }
  }
  return [...parts, inner.slice(start)]
}
