/** Reads git's configuration files without git: `[section "sub"] key = value`, quotes, escapes, continued lines. */
export interface ConfigEntry {
  /** Lower case, as git compares it. */
  readonly section: string
  readonly sub: string
  readonly key: string
  readonly value: string
}

const HEADER = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/
const ENTRY = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' }

/** Skips invalid lines. Git would refuse the whole file, but nothing here depends on that. */
export function parseGitConfig(text: string): ConfigEntry[] {
  const entries: ConfigEntry[] = []
  let section = ''
  let sub = ''
  for (const line of wholeLines(text)) {
    let rest = line
    const header = HEADER.exec(rest)
    if (header) {
      ;[section, sub] = nameOf(header[1] ?? '', header[2])
      rest = header[3] ?? ''
    }
    const entry = ENTRY.exec(rest.trim())
    if (!entry || section === '') continue
    const [, key = '', value] = entry
    entries.push({
      section,
      sub,
      key: key.toLowerCase(),
      value: value === undefined ? 'true' : unquoted(value),
    })
  }
  return entries
}

/** The last value wins, as in git. */
export function lastOf(
  entries: readonly ConfigEntry[],
  section: string,
  key: string,
  sub = '',
): string | undefined {
  return entries.findLast((one) => one.section === section && one.key === key && one.sub === sub)?.value
}

function wholeLines(text: string): string[] {
  const lines: string[] = []
  let open = ''
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const trimmed = open === '' ? line.trimStart() : line
    if (open === '' && /^[#;]/.test(trimmed)) continue
    if (goesOn(trimmed)) open += trimmed.slice(0, -1)
    else {
      lines.push(open + trimmed)
      open = ''
    }
  }
  return open === '' ? lines : [...lines, open]
}

/** Whether the line ends with an unescaped backslash. */
function goesOn(line: string): boolean {
  let end = line.length
  while (line[end - 1] === '\\') end -= 1
  return (line.length - end) % 2 === 1
}

/** `[remote.origin]` is the old form of `[remote "origin"]`. */
function nameOf(section: string, sub: string | undefined): [string, string] {
  if (sub !== undefined) return [section.toLowerCase(), sub.replace(/\\(.)/g, '$1')]
  const dot = section.indexOf('.')
  return dot < 0
    ? [section.toLowerCase(), '']
    : [section.slice(0, dot).toLowerCase(), section.slice(dot + 1).toLowerCase()]
}

/** Removes quotes and a trailing comment; keeps spaces inside quotes. */
function unquoted(text: string): string {
  let value = ''
  let kept = 0 // spaces before this index belong to the value
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? ''
    if (letter === '\\') {
      i += 1
      value += ESCAPES[text[i] ?? ''] ?? ''
      kept = value.length
    } else if (letter === '"') {
      quoted = !quoted
      kept = value.length
    } else if (!quoted && (letter === '#' || letter === ';')) break
    else {
      value += letter
      if (quoted || letter.trim() !== '') kept = value.length
    }
  }
  return value.slice(0, kept)
}
