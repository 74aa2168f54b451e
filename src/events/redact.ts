/**
 * Secrets never reach the journal or the bus. Only the secret's own span is replaced, everything else stays byte
 * for byte. The patterns are token formats with a fixed prefix, so that ordinary text is never touched.
 */
const TOKEN_FORMATS = [
  'sk-ant-[A-Za-z0-9_-]{20,}', // Anthropic
  'sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}', // OpenAI
  'gh[pousr]_[A-Za-z0-9]{36,}', // GitHub
  'github_pat_[A-Za-z0-9_]{50,}',
  'glpat-[A-Za-z0-9_-]{20,}', // GitLab
  '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])', // AWS
  'AIza[A-Za-z0-9_-]{35}', // Google
  'xox[abeoprs]-[A-Za-z0-9-]{20,}', // Slack
  '[sr]k_live_[A-Za-z0-9]{20,}', // Stripe
  'npm_[A-Za-z0-9]{36}',
  'hf_[A-Za-z0-9]{34,}', // Hugging Face
  'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{20,}', // JSON web token
  '-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\\s\\\\]+-----END [A-Z ]*PRIVATE KEY-----',
]

// A token starts where no token character stands before it, or right after an escape of the JSON text such as \n,
// or after the colour that a terminal program put before it.
// The first also keeps the search linear: no run of token characters holds a second place to start.
const STARTS = [
  '(?<![A-Za-z0-9_-])',
  '(?<=\\\\(?:[bfnrt]|u[0-9a-fA-F]{4}))',
  '(?<=(?:\\\\u001[bB]|\\x1b)\\[[0-9;]{0,20}[A-Za-z])',
]
const FIRST_LETTERS = '(?=[sghAxrne-])' // spares most positions the look back
const SECRET = new RegExp(`${FIRST_LETTERS}(?:${STARTS.join('|')})(?:${TOKEN_FORMATS.join('|')})`, 'g')

/** One of these stands in every token above; a text without any needs no further look. */
const LITERALS = [
  ...[
    'sk-',
    'ghp_',
    'gho_',
    'ghu_',
    'ghs_',
    'ghr_',
    '_pat_',
    'glpat-',
    'AKIA',
    'ASIA',
    'AIza',
    'xox',
    '_live_',
  ],
  ...['npm_', 'hf_', '.eyJ', 'PRIVATE KEY'],
]

export interface Redacted {
  readonly text: string
  readonly count: number
}

/** The same string object when nothing was found, which is nearly always. */
export function redact(text: string): Redacted {
  let count = 0
  if (!LITERALS.some((literal) => text.includes(literal))) return { text, count }
  const clean = text.replace(SECRET, () => {
    count += 1
    return '[redacted]'
  })
  return count === 0 ? { text, count } : { text: clean, count }
}
