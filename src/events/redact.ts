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

// A token starts where no token character stands before it, or right after an escape such as \n in the JSON text.
// The first half also keeps the search linear: no run of token characters holds a second place to start.
const SECRET = new RegExp(`(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt]))(?:${TOKEN_FORMATS.join('|')})`, 'g')

export interface Redacted {
  readonly text: string
  readonly count: number
}

/** The same string object when nothing was found, which is nearly always. */
export function redact(text: string): Redacted {
  let count = 0
  const clean = text.replace(SECRET, () => {
    count += 1
    return '[redacted]'
  })
  return count === 0 ? { text, count } : { text: clean, count }
}
