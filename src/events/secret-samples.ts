/** For tests: one made-up secret of every format, put together here so that no scanner takes this file for a leak. */
const mixed = (count: number) => 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8'.repeat(20).slice(0, count)
const upper = (count: number) => 'QWERTZUIOPASDFGH0123456789YXCVBNM'.repeat(9).slice(0, count)
const lower = (count: number) => 'q7w2e9r4t1z8u3i6o5p0a'.repeat(9).slice(0, count)
const hex = (count: number) => '3f9a0c7d18be52643f9a0c7d18be5264'.repeat(9).slice(0, count)
const digits = (count: number) => '1234567890'.repeat(3).slice(0, count)
const web = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')

/** By the name in the table of formats; one for each beginning. */
export const TOKENS: Readonly<Record<string, readonly string[]>> = {
  Anthropic: ['api03', 'admin01', 'oat01'].map((kind) => `sk-ant-${kind}-${mixed(80)}_-AA`),
  OpenAI: ['proj', 'svcacct', 'admin', 'None'].map((kind) => `sk-${kind}-${mixed(48)}`),
  'OpenAI and others, old': [`sk-${mixed(20)}T3Blbk${'FJ'}${mixed(20)}`, `sk-${hex(32)}`],
  OpenRouter: [`sk-or-${'v1-'}${hex(64)}`],
  Langfuse: [`sk-lf-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ElevenLabs: [`sk_${hex(48)}`],
  Groq: [`gsk_${mixed(52)}`],
  xAI: [`xai-${mixed(80)}`],
  Perplexity: [`pplx-${mixed(48)}`],
  Replicate: [`r8_${mixed(37)}`],
  'Hugging Face': [`hf_${mixed(34)}`, `api_org_${mixed(34)}`],
  LangSmith: ['pt', 'sk'].map((kind) => `lsv2_${kind}_${hex(32)}_${hex(10)}`),
  Pinecone: [`pcsk_${mixed(5)}_${mixed(63)}`],
  Tavily: [`tvly-${'dev-'}${mixed(32)}`],
  Firecrawl: [`fc-${hex(32)}`],
  E2B: [`e2b_${hex(40)}`],
  'Vercel AI Gateway': [`vck_${mixed(56)}`],
  Cursor: [`key_${hex(64)}`],
  GitHub: ['p', 'o', 'u', 's', 'r'].map((kind) => `gh${kind}_${mixed(36)}`),
  'GitHub, fine-grained': [`github_pat_${mixed(22)}_${mixed(59)}`],
  GitLab: [
    ...'pat dt rt rtr cbt ptt ft soat imt agent oas ffct wt'
      .split(' ')
      .map((kind) => `gl${kind}-${mixed(20)}`),
    `glpat-${mixed(27)}.01.${lower(7)}`,
  ],
  Bitbucket: [`ATBB${mixed(32)}`],
  Atlassian: [`ATATT3${mixed(180)}=${upper(8)}`, `ATCTT3${mixed(180)}=${upper(8)}`],
  Sourcegraph: [`sgp_${hex(16)}_${hex(40)}`],
  npm: [`npm_${mixed(36)}`],
  PyPI: [`pypi-AgEIcHlwaS5vcmc${mixed(120)}`],
  RubyGems: [`rubygems_${hex(48)}`],
  'crates.io': [`cio${mixed(32)}`],
  NuGet: [`oy2${lower(43)}`],
  Docker: [`dckr_pat_${mixed(27)}`, `dckr_oat_${mixed(32)}`],
  Artifactory: [`AKCp${mixed(69)}`],
  'Artifactory, reference': [`cmVmdGtuOj${mixed(54)}`],
  CircleCI: [`CCIPAT_${mixed(22)}_${hex(40)}`, `CCIPRJ_${mixed(22)}_${hex(40)}`],
  Buildkite: [`bkua_${hex(40)}`, `bkaj_${hex(40)}`],
  SonarQube: ['p', 'a', 'u'].map((kind) => `sq${kind}_${hex(40)}`),
  Postman: [`PMAK-${hex(24)}-${hex(34)}`],
  Sentry: [`sntryu_${hex(64)}`],
  'Sentry, organisation': [`sntrys_${web({ iat: 1 })}${mixed(40)}=_${mixed(43)}`],
  AWS: ['AK', 'AS', 'AB'].map((kind) => `${kind}IA${upper(16)}`).concat(`ACCA${upper(16)}`),
  'AWS Bedrock': [`ABSK${mixed(127)}=`],
  Google: [`AIza${mixed(35)}`],
  'Google OAuth': [`GOCSPX-${mixed(28)}`],
  Alibaba: [`LTAI${mixed(20)}`],
  Tencent: [`AKID${mixed(32)}`],
  Yandex: [`AQVN${mixed(36)}`],
  DigitalOcean: ['p', 'o', 'r'].map((kind) => `do${kind}_v1_${hex(64)}`),
  Heroku: [`HRKU-AA${mixed(58)}`],
  'Fly.io': ['fo1_', 'fm1r_', 'fm2_'].map((kind) => `${kind}${mixed(43)}`),
  Supabase: [`sbp_${hex(40)}`],
  'Supabase, secret': [`sb_secret_${mixed(31)}`],
  PlanetScale: ['tkn', 'pw', 'oauth'].map((kind) => `pscale_${kind}_${mixed(43)}`),
  Databricks: [`dapi${hex(32)}`, `dapi${hex(32)}-2`],
  Pulumi: [`pul-${hex(40)}`],
  Prefect: [`pnu_${mixed(36)}`],
  Tailscale: [`tskey-${'auth-'}${mixed(17)}-${mixed(32)}`],
  Grafana: [`glsa_${mixed(32)}_${hex(8)}`],
  'Grafana Cloud': [`glc_${mixed(60)}==`],
  'New Relic': [`NRAK-${upper(27)}`],
  age: [`AGE-SECRET-KEY-1${upper(58)}`],
  '1Password': [`ops_eyJ${mixed(250)}`],
  Slack: [
    ...'a b c d e o p r s'.split(' ').map((kind) => `xox${kind}-${digits(12)}-${mixed(24)}`),
    `xapp-${'1-'}A${upper(10)}-${digits(13)}-${hex(64)}`,
  ],
  Stripe: ['sk_live', 'rk_live', 'sk_test', 'rk_test'].map((kind) => `${kind}_${mixed(24)}`),
  'Signed webhooks': [`whsec_${mixed(32)}`],
  Square: [`sq0atp-${mixed(22)}`, `sq0csp-${mixed(43)}`],
  Shopify: ['at', 'ca', 'pa', 'ss'].map((kind) => `shp${kind}_${hex(32)}`),
  Shippo: [`shippo_live_${hex(40)}`, `shippo_test_${hex(40)}`],
  Brevo: [`xkeysib-${hex(64)}-${mixed(16)}`, `xsmtpsib-${hex(64)}-${mixed(16)}`],
  Resend: [`re_${mixed(8)}_${mixed(24)}`],
  Linear: [`lin_api_${mixed(40)}`, `lin_oauth_${hex(64)}`],
  Notion: [`ntn_${mixed(46)}`],
  'Notion, old': [`secret_${mixed(43)}`],
  Figma: [`figd_${mixed(40)}`, `figu_${mixed(40)}`],
  Contentful: [`CFPAT-${mixed(43)}`],
  PostHog: [`phx_${mixed(43)}`],
  ReadMe: [`rdme_${lower(70)}`],
  Typeform: [`tfp_${mixed(44)}`],
  Adafruit: [`aio_${mixed(28)}`],
  Airtable: [`pat${mixed(14)}.${hex(64)}`],
  Discord: ['M', 'N', 'O'].map((kind) => `${kind}${mixed(25)}.${mixed(6)}.${mixed(38)}`),
  'JSON web token': [`${web({ alg: 'none' })}.${web({ sub: '1', admin: true })}.${mixed(43)}`],
  'Google OAuth, access': [`ya29.a0${mixed(60)}`],
  'Google OAuth, refresh': [`1//0${mixed(60)}`],
  SendGrid: [`SG.${mixed(22)}.${mixed(43)}`],
  'HashiCorp Vault': [`hvs.${mixed(90)}`],
  'HashiCorp Vault, batch': [`hvb.${mixed(90)}`],
  'HashiCorp Vault, recovery': [`hvr.${mixed(90)}`],
  Doppler: [`dp.pt.${mixed(43)}`],
  'Doppler, service': [`dp.st.${mixed(43)}`],
  Dynatrace: [`dt0c01.${upper(24)}.${upper(64)}`],
  Mapbox: [`sk.${web({ u: 'somebody', a: mixed(30) })}.${mixed(22)}`],
  'Cloudflare Origin': [`v1.0-${hex(24)}-${hex(146)}`],
}

/** What stands before the secret, the secret, and what stands behind it. */
export const PLACED: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  Telegram: [['bot123456789:', `AA${mixed(33)}`, '/sendMessage']],
  Terraform: [[mixed(14), `.atlasv1.${mixed(67)}`, '']],
  'an Authorization header': [
    ['-H \\"Authorization: Bearer ', mixed(32), '\\"'],
    ["-H 'authorization: Basic ", `${mixed(30)}==`, "'"],
    ['{\\"Authorization\\":\\"token ', hex(40), '\\"}'],
    ['Authorization%3A%20Bearer%20', mixed(40), '&x=1'],
  ],
  'an API key header': [
    ['-H \\"x-api-key: ', mixed(32), '\\"'],
    ['X-API-Key: ', hex(32), '\\n'],
    ['x-goog-api-key: ', mixed(39), ''],
  ],
  'AWS, secret key': [
    ['aws_secret_access_key = ', `${mixed(38)}/+`, '\\n'],
    ['AWS_SECRET_ACCESS_KEY=', mixed(40), ' aws s3 ls'],
    ['\\"SecretAccessKey\\": \\"', mixed(40), '\\"'],
  ],
  'AWS, session token': [
    ['AWS_SESSION_TOKEN=', `${mixed(300)}==`, '\\n'],
    ['\\"SessionToken\\": \\"', mixed(300), '\\"'],
  ],
  'Azure, shared key': [
    ['AccountName=x;AccountKey=', `${mixed(86)}==`, ';EndpointSuffix=y'],
    ['SharedAccessKey=', `${mixed(43)}=`, ';'],
  ],
  'Azure, shared access signature': [['?sv=2022-11-02&sig=', `${mixed(40)}%2B%3D`, '&se=1']],
  'Azure, client secret': [['secret: ', `${mixed(3)}8Q~${mixed(31)}`, ' ']],
  'a Slack webhook': [['https://hooks.slack.com/services/', `T${upper(8)}/B${upper(10)}/${mixed(24)}`, ' ']],
  'a Discord webhook': [['https://discord.com/api/webhooks/', `${digits(18)}/${mixed(68)}`, ' ']],
  'a Teams webhook': [
    ['https://x.webhook.office.com/webhookb2/', `${hex(36)}@${hex(36)}/IncomingWebhook/${hex(32)}`, ' '],
  ],
  'a password in an address': [
    ['postgres://app:', 'h4rd-t0-gu3ss!', '@db.example.org:5432/app'],
    ['git clone https://x-access-token:', hex(30), '@example.org/a/b'],
    ['redis://:', mixed(24), '@cache:6379'],
  ],
}

const lines = (count: number) => Array.from({ length: count }, () => mixed(64))

/** Private keys as they stand in files, line by line. */
export const KEYS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    'private key': ['', [], ''],
    'RSA private key': ['RSA ', [], ''],
    'OpenSSH private key': ['OPENSSH ', [], ''],
    'private key with a password': ['ENCRYPTED ', [], ''],
    'RSA private key with a password': [
      'RSA ',
      ['Proc-Type: 4,ENCRYPTED', `DEK-Info: AES-128-CBC,${upper(32)}`, ''],
      '',
    ],
    'PGP private key': ['PGP ', ['Version: GnuPG v2', 'Comment: made up', ''], ' BLOCK'],
  } as Record<string, [string, string[], string]>).map(([name, [kind, headers, block]]) => [
    name,
    [
      `-----BEGIN ${kind}PRIVATE KEY${block}-----`,
      ...headers,
      ...lines(3),
      `${mixed(40)}+/==`,
      ...(block ? [`=${mixed(4)}`] : []),
      `-----END ${kind}PRIVATE KEY${block}-----`,
    ],
  ]),
)
