/**
 * Secret formats of many vendors: prefix and body. Sources: the vendors' own pages and observed tokens. To add one, add a
 * line here and a sample in secret-samples.ts.
 */

import { looksRandom } from './looks-random.ts'

interface TokenFormat {
  readonly of: string
  /** Made of letters, digits, `_` and `-`. */
  readonly prefixes: readonly string[]
  /** Pattern of what follows. Prefix and body together must start with 17 letters, digits, `_` or `-`. */
  readonly body: string
}

const ALNUM = '[A-Za-z0-9]'
const WORD = '[A-Za-z0-9_-]'
const HEX = '[0-9a-f]'
const ENDS = `(?!${WORD})`

function format(of: string, prefixes: string, body: string): TokenFormat {
  return { of, prefixes: prefixes.split(' '), body }
}

export const TOKEN_FORMATS: readonly TokenFormat[] = [
  // Models
  format('Anthropic', 'sk-ant-', `${WORD}{20,}`),
  format('OpenAI', 'sk-proj- sk-svcacct- sk-admin- sk-None-', `${WORD}{20,}`),
  // OpenAI until 2024, DeepSeek, Moonshot, Qwen and others with the same form. The digit excludes words.
  format('OpenAI and others, old', 'sk-', `(?=[A-Za-z]{0,80}[0-9])${ALNUM}{32,}${ENDS}`),
  format('OpenRouter', 'sk-or-', `${WORD}{32,}`),
  format('Langfuse', 'sk-lf-', `${HEX}{8}-${WORD}{27,}`),
  format('ElevenLabs', 'sk_', `${HEX}{48}${ENDS}`),
  format('Groq', 'gsk_', `${ALNUM}{40,}`),
  format('xAI', 'xai-', `${ALNUM}{60,}`),
  format('Perplexity', 'pplx-', `${ALNUM}{40,}`),
  format('Replicate', 'r8_', `${ALNUM}{37,}`),
  format('Hugging Face', 'hf_ api_org_', `${ALNUM}{34,}`),
  format('LangSmith', 'lsv2_pt_ lsv2_sk_', `${HEX}{32}_${HEX}{10}`),
  format('Pinecone', 'pcsk_', `${WORD}{40,}`),
  format('Tavily', 'tvly-', `${WORD}{20,}`),
  format('Firecrawl', 'fc-', `${HEX}{32}${ENDS}`),
  format('E2B', 'e2b_', `${HEX}{40}`),
  format('Vercel AI Gateway', 'vck_', `${ALNUM}{40,}`),
  format('Cursor', 'key_', `${HEX}{64}${ENDS}`),
  format('NVIDIA', 'nvapi-', `${WORD}{60,}`),
  format('Cerebras', 'csk-', `${ALNUM}{40,}`),
  // Code
  format('GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_', `${ALNUM}{36,}`),
  format('GitHub, fine-grained', 'github_pat_', '[A-Za-z0-9_]{50,}'),
  format(
    'GitLab',
    'glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- glffct- glwt-',
    `${WORD}{20,}(?:\\.${ALNUM}{2}\\.${ALNUM}{7,})?`,
  ),
  format('Bitbucket', 'ATBB', `${ALNUM}{32}${ENDS}`),
  format('Atlassian', 'ATATT3 ATCTT3', '[A-Za-z0-9_=-]{60,}'),
  format('Sourcegraph', 'sgp_', '[A-Za-z0-9_]{40,}'),
  format('npm', 'npm_', `${ALNUM}{36}`),
  format('PyPI', 'pypi-', `${WORD}{60,}`),
  format('RubyGems', 'rubygems_', `${HEX}{48}`),
  format('crates.io', 'cio', `(?=[A-Za-z]{0,31}[0-9])${ALNUM}{32}${ENDS}`),
  format('NuGet', 'oy2', `[a-z0-9]{43}${ENDS}`),
  format('Docker', 'dckr_pat_ dckr_oat_', `${WORD}{20,}`),
  format('Artifactory', 'AKCp', `${ALNUM}{60,}`),
  format('Artifactory, reference', 'cmVmdGtuOj', `${ALNUM}{50,}`),
  format('CircleCI', 'CCIPAT_ CCIPRJ_', '[A-Za-z0-9_]{40,}'),
  format('Buildkite', 'bkua_ bkaj_', `${HEX}{40}`),
  format('SonarQube', 'sqp_ sqa_ squ_', `${HEX}{40}`),
  format('Postman', 'PMAK-', `${HEX}{24}-${HEX}{34}`),
  format('Sentry', 'sntryu_', `${HEX}{64}`),
  format('Sentry, organisation', 'sntrys_', '[A-Za-z0-9+/=_-]{40,}'),
  // Clouds. With one more capital, a 20-character key would be another identifier.
  format('AWS', 'AKIA ASIA ABIA ACCA', `[A-Z0-9]{16}(?!${ALNUM})`),
  format('AWS Bedrock', 'ABSK', '[A-Za-z0-9+/]{100,}={0,2}'),
  format('Google', 'AIza', `${WORD}{35}`),
  format('Google OAuth', 'GOCSPX-', `${WORD}{28}`),
  format('Alibaba', 'LTAI', `${ALNUM}{20}${ENDS}`),
  format('Tencent', 'AKID', `${ALNUM}{32}${ENDS}`),
  format('Yandex', 'AQVN', `${WORD}{35,38}${ENDS}`),
  format('DigitalOcean', 'dop_v1_ doo_v1_ dor_v1_', `${HEX}{64}`),
  format('Netlify', 'nfp_', `${ALNUM}{36,}`),
  format('Neon', 'napi_', '[a-z0-9]{40,}'),
  format('Render', 'rnd_', `(?=[A-Za-z]{0,27}[0-9])${ALNUM}{28,}${ENDS}`),
  format('Heroku', 'HRKU-', `${WORD}{36,}`),
  format('Fly.io', 'fo1_ fm1r_ fm2_', '[A-Za-z0-9+/=_-]{40,}'),
  format('Supabase', 'sbp_', `${HEX}{40}`),
  format('Supabase, secret', 'sb_secret_', `${WORD}{20,}`),
  format('PlanetScale', 'pscale_tkn_ pscale_pw_ pscale_oauth_', '[A-Za-z0-9_.=-]{32,}'),
  format('Databricks', 'dapi', `${HEX}{32}(?:-[0-9])?${ENDS}`),
  format('Pulumi', 'pul-', `${HEX}{40}`),
  format('Prefect', 'pnu_', `${ALNUM}{36}`),
  format('Tailscale', 'tskey-', `${WORD}{20,}`),
  format('Grafana', 'glsa_', `${ALNUM}{32}_${ALNUM}{8}`),
  format('Grafana Cloud', 'glc_', '[A-Za-z0-9+/]{32,}={0,2}'),
  format('New Relic', 'NRAK-', '[A-Z0-9]{27}'),
  format('age', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
  format('1Password', 'ops_eyJ', `${WORD}{100,}`),
  // Services
  format(
    'Slack',
    'xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-',
    `(?:${WORD}|%2[BbFf]|%3[Dd]){20,}`,
  ),
  format('Stripe', 'sk_live_ rk_live_ sk_test_ rk_test_', `${ALNUM}{20,}`),
  format('Signed webhooks', 'whsec_', '[A-Za-z0-9+/]{24,}={0,2}'),
  format('Square', 'sq0atp- sq0csp-', `${WORD}{22,}`),
  format('Shopify', 'shpat_ shpca_ shppa_ shpss_', '[0-9a-fA-F]{32}'),
  format('Shippo', 'shippo_live_ shippo_test_', `${HEX}{40}`),
  format('Brevo', 'xkeysib- xsmtpsib-', `${HEX}{64}-${ALNUM}{16}`),
  format('Resend', 're_', `${ALNUM}{8}_${ALNUM}{24}`),
  format('Mailgun', 'key-', `${HEX}{32}${ENDS}`),
  format('Mailchimp', '0 1 2 3 4 5 6 7 8 9 a b c d e f', `${HEX}{31}-us[0-9]{1,2}${ENDS}`),
  format('Twilio', 'SK', `${HEX}{32}${ENDS}`),
  format('Linear', 'lin_api_ lin_oauth_', `${ALNUM}{40,}`),
  format('Notion', 'ntn_', `${ALNUM}{40,}`),
  format('Notion, old', 'secret_', `${ALNUM}{43}${ENDS}`),
  format('Figma', 'figd_ figu_', `${WORD}{40,}`),
  format('Contentful', 'CFPAT-', `${WORD}{43}`),
  format('PostHog', 'phx_', `${ALNUM}{40,}`),
  format('ReadMe', 'rdme_', '[a-z0-9]{70}'),
  format('Typeform', 'tfp_', '[A-Za-z0-9_.-]{40,}'),
  format('Adafruit', 'aio_', `${ALNUM}{28}${ENDS}`),
  format('Airtable', 'pat', `${ALNUM}{14}\\.${HEX}{64}`),
  format('Discord', 'M N O', `${WORD}{22,28}\\.${WORD}{6}\\.${WORD}{27,40}`),
  format('Telegram', 'AA', `(?<=(?<![0-9])[0-9]{8,10}:AA)${WORD}{33}${ENDS}`),
  format('JSON web token', 'eyJ', `${WORD}{10,}\\.eyJ${WORD}{10,}\\.${WORD}{20,}`),
]

/** A prefix that contains another character, directly before a run of letters and digits. */
interface LeadFormat {
  readonly of: string
  readonly lead: string
  readonly body: string
}

export const LEAD_FORMATS: readonly LeadFormat[] = [
  { of: 'Google OAuth, access', lead: 'ya29.', body: `${WORD}{20,}` },
  { of: 'Google OAuth, refresh', lead: '1//', body: `0${WORD}{40,}` },
  { of: 'SendGrid', lead: 'SG.', body: `${WORD}{20,24}\\.${WORD}{39,50}` },
  { of: 'HashiCorp Vault', lead: 'hvs.', body: `${WORD}{24,}` },
  { of: 'HashiCorp Vault, batch', lead: 'hvb.', body: `${WORD}{24,}` },
  { of: 'HashiCorp Vault, recovery', lead: 'hvr.', body: `${WORD}{24,}` },
  { of: 'Terraform', lead: '.atlasv1.', body: `${WORD}{60,}` },
  { of: 'Doppler', lead: 'dp.pt.', body: `${ALNUM}{40,}` },
  { of: 'Doppler, service', lead: 'dp.st.', body: `${ALNUM}{40,}` },
  { of: 'Dynatrace', lead: 'dt0c01.', body: `[A-Z0-9]{24}\\.[A-Z0-9]{64}` },
  { of: 'Mapbox', lead: 'sk.', body: `eyJ${WORD}{40,}\\.${WORD}{20,}` },
  { of: 'Cloudflare Origin', lead: 'v1.', body: `0-${HEX}{24}-${HEX}{100,}` },
]

/** Recognised by the text before it; the last group is the secret. Every repetition except the last is bounded. */
interface PlacedFormat {
  readonly of: string
  /** Text without any of these is skipped. Each sign costs 0.1 µs per KB, however many formats share it: so a shorter one that several share is better. */
  readonly signs: readonly string[]
  readonly pattern: string
  /** Whether the match is only a placeholder: a name, a variable, an example. */
  readonly isExample?: (match: readonly string[]) => boolean
}

const isNoChance = (match: readonly string[]) => !looksRandom(match.at(-1) ?? '')
const isWords = (match: readonly string[]) => !/[0-9]/.test(match.at(-1) ?? '') && isNoChance(match)
/** Quotes and separators between name and value. An escape, of JSON or of a shell, is taken whole: half of one would not be JSON any more. */
const BETWEEN = '(?:[\\s"\':=[]|\\\\["\'nrtbf/\\\\\\s:=]|%3[AaDd]|%2[02]){1,12}'
/** What a header sends, with its escapes in JSON. */
const SENT = '(?:[A-Za-z0-9._~+/=-]|\\\\/|\\\\u00(?:2[BbFf]|3[Dd])){16,}'

export const PLACED_FORMATS: readonly PlacedFormat[] = [
  {
    of: 'an Authorization header',
    signs: ['uthorization', 'UTHORIZATION'],
    pattern: `(?:uthorization|UTHORIZATION)${BETWEEN}(?:[Bb]earer|BEARER|[Bb]asic|BASIC|[Tt]oken|[Bb]ot|[Aa]pi[Kk]ey)(?:\\s|%20|\\+){1,4}(${SENT})`,
    isExample: isWords,
  },
  {
    of: 'an API key header',
    signs: ['-key', 'Key', 'KEY'],
    pattern: `(?<=[Xx]-(?:goog-)?[Aa])(?:pi|PI)-(?:key|Key|KEY)${BETWEEN}(${SENT})`,
    isExample: isWords,
  },
  {
    of: 'AWS, secret key',
    signs: ['_a', 'KEY', 'Key'],
    pattern: `(?:ecret_access_key|ECRET_ACCESS_KEY|ecretAccessKey)${BETWEEN}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`,
    isExample: isWords,
  },
  {
    of: 'Azure, shared key',
    signs: ['Key'],
    pattern: '(?:ccountKey|ccessKey)=([A-Za-z0-9+/]{40,86}={1,2})',
  },
  { of: 'Azure, shared access signature', signs: ['sig='], pattern: '(?<=[?&;])sig=([A-Za-z0-9%+/]{40,}=?)' },
  {
    of: 'Azure, client secret',
    signs: ['Q~'],
    pattern: '(?<![A-Za-z0-9_~.-])([A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34})',
  },
  {
    of: 'a Slack webhook',
    signs: ['.com/'],
    pattern: 'hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,})',
  },
  {
    of: 'a Discord webhook',
    signs: ['.com/'],
    pattern: `\\.com/api/webhooks/([0-9]{15,20}/${WORD}{40,})`,
  },
  {
    of: 'a Teams webhook',
    signs: ['.com/'],
    pattern: '\\.webhook\\.office\\.com/webhookb2/([A-Za-z0-9@/-]{50,})',
  },
  {
    of: 'an Authorization header of Digest',
    signs: ['Digest '],
    pattern: '(?<=[\\s,])response=(?:\\\\{0,3}["\'])?([0-9a-f]{32,64})',
  },
  {
    // Matches each cookie but not the separators, because a semicolon also separates commands.
    of: 'a cookie',
    signs: ['kie'],
    pattern: `(?:kie(?:\\\\?")?:\\s{0,2}(?:\\\\?")?|;\\s?)([A-Za-z0-9_.-]{1,64})=([A-Za-z0-9._~%+/=-]{16,})`,
    isExample: (match) => /^(?:domain|path|expires)$/i.test(match[1] ?? '') || isWords(match),
  },
  {
    of: '.npmrc',
    signs: ['_a'],
    pattern: '_auth(?:Token)? {0,2}= {0,2}(?:\\\\?")?([A-Za-z0-9+/_-]{16,}={0,2})(?![A-Za-z0-9+/_.(-])',
    isExample: isNoChance,
  },
  {
    // Where `+` and `/` leave no run that is long enough for named-values.ts.
    of: 'an assignment of base64',
    signs: ['KEY', 'TOKEN', 'SECRET'],
    pattern: `(?<!PUBLIC_|CACHE_)(?:KEY|TOKEN|SECRET)(?:\\\\{0,7}["'])? {0,4}[:=] {0,4}(?:\\\\{0,7}["'])?([A-Za-z0-9+/]{20,}={0,2})(?![A-Za-z0-9+/_~.(-])`,
    isExample: (match) => !/[+/]/.test(match[1] ?? '') || isNoChance(match),
  },
  {
    of: 'WireGuard',
    signs: ['Key'],
    pattern: '(?:ivateKey|sharedKey) ?= ?([A-Za-z0-9+/]{43}=)',
  },
  {
    of: 'kubeconfig',
    signs: ['-key'],
    pattern: `key-data${BETWEEN}(LS0t[A-Za-z0-9+/]{40,}={0,2})`,
  },
  {
    of: 'a password in an address',
    signs: ['@'],
    // Only characters within one shell word: a command must not hide behind "[redacted]".
    pattern: '://([A-Za-z0-9._~%+-]{0,64}):([A-Za-z0-9._~!%+=:-]{6,128})(?=@)',
    isExample: ([, user = '', password = '']) =>
      user === password ||
      /^(?:[%*.]|(?:your|my|the|some)?[-_]?(?:pass|secret|token|user|example|changeme|x{3}))/i.test(password),
  },
]
