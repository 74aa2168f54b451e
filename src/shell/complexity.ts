/** Which sources the parser is not given: some of its scans go back to the start of every bracket that is still open. */

const MAX_SOURCE = 65_536
/** Brackets times characters. A substitution takes up to 40 ns for each, so that all this is under 50 ms. */
const MAX_OPEN = 600_000
const MAX_SUBSTITUTIONS = 1_200_000
const MAX_OTHERS = 6_000_000

interface Readable {
  /** Whole statements from the start of the source. */
  readonly text: string
  /** Why that is not all of it. */
  readonly why?: string
}

export function readable(source: string): Readable {
  if (source.length > MAX_SOURCE)
    return { text: startOf(source, MAX_SOURCE), why: `it is longer than ${MAX_SOURCE / 1024} KB` }
  if (!tooComplex(source)) return { text: source }
  return { text: startOf(source, source.length >> 1), why: 'it has too many brackets for its length' }
}

function startOf(source: string, length: number): string {
  const most = source.slice(0, length)
  const text = most.slice(0, Math.max(most.lastIndexOf('\n'), most.lastIndexOf(';')) + 1)
  return tooComplex(text) ? startOf(text, text.length >> 1) : text
}

function tooComplex(source: string): boolean {
  if (source.length < 500) return false
  const text = withoutPlainHereDocs(source)
  let substitutions = 0
  let others = 0
  let open = 0
  let mostOpen = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '(' || char === '{') {
      const before = text[i - 1]
      if (before === '$' || before === '<' || before === '>' || before === '(') substitutions++
      else others++
      if (++open > mostOpen) mostOpen = open
    } else if (char === '[' && text[i - 1] === '$') substitutions++
    else if (char === ')' || char === '}') open--
    else if (char === '<' && text[i + 1] === '<') others++
    else if (char === '`') others++
  }
  const { length } = text
  return (
    mostOpen * length > MAX_OPEN || substitutions * length > MAX_SUBSTITUTIONS || others * length > MAX_OTHERS
  )
}

/**
 * `cat > file <<'EOF'`: files are written like this, and they may have many brackets that the parser skips. Only where nothing
 * before the mark is a quote or an expansion is it surely a heredoc.
 */
function withoutPlainHereDocs(source: string): string {
  let rest = source
  let kept = ''
  for (;;) {
    const mark = /^[\w\s./>&|;,:=@%+~-]*<<-?[ \t]*(['"])(\w+)\1[\w\t ./>&|;,:=@%+~-]*\n/.exec(rest)
    if (!mark) return kept + rest
    const end = new RegExp(`^\\t*${mark[2]}$`, 'm').exec(rest.slice(mark[0].length))
    if (!end) return kept + rest
    kept += `${mark[0]}${end[0]}`
    rest = rest.slice(mark[0].length + end.index + end[0].length)
  }
}
