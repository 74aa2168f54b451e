/** Which sources the parser is not given: some of its scans go back to the start of every bracket that is still open. */

export const MAX_SOURCE = 65_536
/** Brackets times characters. Measured: the slowest kind (`a[$(`) takes 12 ns for each, so that this is under 25 ms. */
const MAX_PRODUCT = 2_000_000

export function tooComplex(source: string): boolean {
  if (source.length < 1_000) return false
  const text = withoutPlainHereDocs(source)
  let count = 0
  for (let i = 0; i < text.length; i++) if (isOpening(text.charCodeAt(i), text.charCodeAt(i + 1))) count++
  return count * text.length > MAX_PRODUCT
}

function isOpening(code: number, next: number): boolean {
  if (code === 0x7b || code === 0x28) return true // { (
  return code === 0x3c && next === 0x3c // <<
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
