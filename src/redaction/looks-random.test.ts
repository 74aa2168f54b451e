/** How many random values pass for words, and that no words pass for random. */
import { describe, expect, test } from 'bun:test'
import { isPlaceholder, looksRandom } from './looks-random.ts'
import { redact } from './redact.ts'

const SMALL = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const ALNUM = SMALL.toUpperCase() + SMALL + DIGITS
const VALUES = 20_000

/** A fixed seed: the rates below are the same in every run. */
function* values(alphabet: string, length: number): Generator<string> {
  let state = length
  for (let i = 0; i < VALUES; i++) {
    let value = ''
    while (value.length < length) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      value += alphabet[Math.floor((state / 2 ** 32) * alphabet.length)]
    }
    yield value
  }
}

describe('random values that are let through', () => {
  test.each([
    ['20 letters and digits', ALNUM, 20, 0.005],
    ['24 letters and digits', ALNUM, 24, 0.005],
    ['32 letters and digits', ALNUM, 32, 0.001],
    ['40 letters and digits', ALNUM, 40, 0.001],
    ['40 letters', SMALL + SMALL.toUpperCase(), 40, 0.005],
    ['24 small letters and digits', SMALL + DIGITS, 24, 0.005],
    ['26 of base32', `${SMALL.toUpperCase()}234567`, 26, 0.005],
    ['24 of hex', '0123456789abcdef', 24, 0.005],
    ['32 of hex', '0123456789abcdef', 32, 0.002],
    ['40 of hex', '0123456789abcdef', 40, 0.001],
    ['44 of base64', `${ALNUM}+/`, 44, 0.001],
    ['43 of base64 for addresses', `${ALNUM}-_`, 43, 0.001],
    ['40 small letters', SMALL, 40, 0.02],
  ])('%s', (_name, alphabet, length, atMost) => {
    let missed = 0
    for (const value of values(alphabet, length)) if (!looksRandom(value)) missed += 1
    expect(missed / VALUES).toBeLessThanOrEqual(atMost)
  })

  test.each([
    ['24 letters and digits', ALNUM, 24, '', 0.005],
    ["24 letters and digits of Vault's", ALNUM, 24, 's.', 0.005],
    ['44 of base64', `${ALNUM}+/`, 43, '', 0.005],
  ])('as a whole: %s', (_name, alphabet, length, prefix, atMost) => {
    let missed = 0
    for (const value of values(alphabet, length))
      if (redact(`export ACME_API_KEY=${prefix}${value}`).count === 0) missed += 1
    expect(missed / VALUES).toBeLessThanOrEqual(atMost)
  })
})

test('one that had few changes between letters and digits', () => {
  expect(redact('export ACME_API_KEY=kXQpUhzkRE0BtHjgsieyPECp').count).toBe(1)
})

/** Separated by white space; each of them behind a telling name. */
const WORDS = `
createAuthenticationForClients getSecretFromEnvironment validateAccessTokenSignature process.env.OPENAI_API_KEY
configuration.authentication.token settings.security.password this.options.credentials.apiKey
secrets.ACME_DEPLOY_TOKEN_FOR_CI generateRandomPasswordForUser requireAuthenticationMiddleware
AbstractSingletonProxyFactoryBean InternalFrameInternalFrameTitlePaneInternalFrameTitlePaneMaximizeButtonPainter
XMLHttpRequestEventTarget createImageBitmapFactories HTMLCanvasElementLuminanceSource SimpleBeanFactoryAwareAspectInstanceFactory
getElementsByClassNameAndTagName useStateWithCallbackLazyInitialization isAuthenticatedUserWithPermission
handleSubmitButtonClickEvent componentDidUpdateWithPreviousProps mapStateToPropsAndDispatch
parseJsonWebTokenFromHeader decodeURIComponentSafely extractBearerTokenFromRequest refreshTokenIfExpiredOrRevoked
encryptedPasswordColumnName passwordResetTokenGenerator oneTimePasswordVerificationCode twoFactorAuthenticationSecret
apiKeyAuthenticationProvider clientSecretPostAuthentication authorizationCodeGrantFlowToken
tokenizerForLargeLanguageModels maxTokensPerRequestAndMinute numberOfTokensInThePrompt
THE_API_KEY_OF_THE_SERVICE YOUR_API_KEY_GOES_HERE_PLEASE REPLACE_WITH_YOUR_OWN_SECRET INSERT_YOUR_ACCESS_TOKEN_HERE
CHANGE_ME_BEFORE_DEPLOYMENT PLACEHOLDER_VALUE_FOR_TESTS NOT_A_REAL_KEY_JUST_EXAMPLE DUMMY_TOKEN_FOR_UNIT_TESTS_ONLY
MY_SUPER_SECRET_PASSWORD_123 TEST_SECRET_KEY_DO_NOT_USE EXAMPLE_ACCESS_TOKEN_VALUE_1 OPENAI_API_KEY_FROM_ENVIRONMENT
your-api-key-goes-here-1234567890 your-super-secret-jwt-token-with-at-least-32-characters-long my-very-long-password-phrase
this-is-not-a-real-token correct-horse-battery-staple replace-this-with-a-real-secret change-this-in-production-please
django-insecure-change-me-in-production not-so-secret-development-key test-token-for-local-development fake-token-for-the-unit-tests
dummy-api-key-for-testing-purposes some-random-string-that-you-choose a-long-string-of-at-least-thirty-two-characters
development-only-secret-key-base insert-your-token-between-the-quotes put-your-own-key-into-this-place enter_your_password_here_now
the_token_of_the_current_user your_access_token_goes_here my_secret_value_for_development replace_me_with_a_real_value
database_password_of_production vault_of_the_first_cluster service_account_private_key github_token_for_actions_bot
test_password_of_the_admin_user default_token_of_service_account example_secret_key_for_documentation local_development_secret_value
secret_key_from_parameter_store token_from_the_keychain_of_macos password_is_stored_in_the_vault api_key_of_the_weather_service
node_modules/typescript/lib/tsserver.js src/redaction/secret-formats.ts /run/secrets/acme/token1/of2/these3
/var/run/secrets/kubernetes.io/serviceaccount/token /home/dev/projects/website/config/token /etc/ssl/private/server.key
./config/credentials/production.key ~/.config/gcloud/application_default_credentials.json ../secrets/deploy/production/token.txt
/Users/somebody/Library/Keychains/login.keychain /opt/application/current/config/secrets.yml /tmp/work/aB3dE5gH7jK9mN1pQ2sT4
/workspace/packages/server/dist/authentication C:/Users/somebody/AppData/Roaming/tokens config/environments/production/secrets
https://example.org/oauth/authorize //registry.example.org/package/name arn.aws.secretsmanager.eu-central-1.database
projects/acme/secrets/database-password/versions/latest op.vault.production.database.password kv/data/production/database/password
secretsmanager.eu-central-1.amazonaws.com vault.internal.example.org/v1/secret/data oauth2.googleapis.com/token/introspect
1.2.3-beta.4+build.20260729 2026-07-29T12.30.45.123456Z 2026-07-29-12-30-45-123456789 20260729123045123456789 v18.20.4-alpine3.19-slim-amd64
10.0.0.1-10.0.255.255-10.1.0.0 123456789012345678901234 1234-5678-9012-3456-7890-1234 3.141592653589793238462643383
00000000000000000000000000000000 ffffffffffffffffffffffffffffffff xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX
00000000-0000-0000-0000-000000000000 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ababababababababababababababab ********************************
abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz0123456789 0123456789abcdefghijklmnopqrstuvwxyz
1234567890abcdefghijklmnopqrstuvwxyz wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY AKIAIOSFODNN7EXAMPLE glpat-xxxxxxxxxxxxxxxxxxxx
sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxx sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx key-00000000000000000000000000000000
text-embedding-3-large-2024-01 claude-opus-4-5-20251101-thinking gpt-4o-mini-2024-07-18-preview llama-3.3-70b-versatile-instruct
linux-x64-musl-baseline-profile x86_64-unknown-linux-gnu-debug aarch64-apple-darwin-release-lto node-v22.11.0-linux-x64-glibc
font-family-sans-serif-monospace background-color-transparent-hover border-top-left-radius-inherit grid-template-columns-repeat-3
feature/add-invoices-with-vat-to-billing fix/upload-test-is-flaky-on-windows release/2026-07-with-new-hero-section
refs/heads/feature/redaction-of-secrets origin/release-candidate-number-four dependabot/npm/and/yarn/typescript
com.example.application.security.TokenProvider PKCS7PrivateKeyTypes org.springframework.security.oauth2.core java.security.interfaces.RSAPrivateKey
System.Security.Cryptography.RandomNumberGenerator Microsoft.Extensions.Configuration.UserSecrets
kubernetes.io/service-account-token bootstrap.kubernetes.io/token sealedsecrets.bitnami.com/managed
urn.ietf.params.oauth.grant-type.device_code urn.ietf.params.oauth.token-type.access_token application/x-www-form-urlencoded
`
const IDENTIFIERS = (() => {
  const verbs = 'get set create validate refresh revoke parse encode load store'.split(' ')
  const nouns =
    'AccessToken ClientSecret ApiKey PasswordHash SessionCookie SigningKey Credential OAuth2Grant'.split(' ')
  const ends = 'FromRequestHeader2 ForCurrentUserV3 WithExpiryInUTC'.split(' ')
  return verbs.flatMap((verb) => nouns.flatMap((noun) => ends.map((end) => `${verb}${noun}${end}`)))
})()
const kebab = (name: string) => name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])/g, '-').toLowerCase()
const HARMLESS = [
  ...WORDS.trim().split(/\s+/),
  ...IDENTIFIERS,
  ...IDENTIFIERS.filter((_, i) => i % 3 === 0).map(kebab),
  ...IDENTIFIERS.filter((_, i) => i % 3 === 1).map((name) => kebab(name).replaceAll('-', '_').toUpperCase()),
  ...IDENTIFIERS.filter((_, i) => i % 3 === 2).map((name) => `src/${kebab(name)}/index.test.ts`),
]

test(`${HARMLESS.length} values that are no secrets stay, behind names that tell one`, () => {
  expect(HARMLESS.length).toBeGreaterThan(300)
  expect(HARMLESS.filter(looksRandom)).toEqual([])
  const found = HARMLESS.filter(
    (value) =>
      redact(`export ACME_API_KEY=${value}`).count +
        redact(`{"token": "${value}", "password": "${value}"}`).count >
      0,
  )
  expect(found).toEqual([])
})

test('placeholders', () => {
  expect(
    ['AKIAIOSFODNN7EXAMPLE', `ghp_${'x'.repeat(36)}`, 'glpat-xxxxxxxxxxxxxxxxxxxx'].map(isPlaceholder),
  ).toEqual([true, true, true])
  expect(isPlaceholder('aB3dE5gH7jK9mN1pQ2sT')).toBe(false)
})
