/** Files that hold credentials, by their names, and which programs show what is in them. */
import type { FileEffect } from '../../shell/index.ts'
import { type Call, has } from './call.ts'
import { isGlob, mayBe } from './globs.ts'
import type { Facts } from './guard.ts'

function oneOf(flags: string, ...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join('|'), flags)
}

/** Files that hold nothing but credentials. Those of the agents are in their records. */
const CREDENTIALS = oneOf(
  '',
  /\/\.ssh\/(?!(?:config|known_hosts|authorized_keys|environment|rc|allowed_signers|revoked_keys|sockets|control|cm|README|agent)\b|config\.d\/)(?:[\w.@-]+\/)?[\w.*?[\]{}:!^+@(|)-]+$(?<!\.(?:pub|md|txt|sock))|\/\.ssh\/?$/,
  /\/\.gnupg(?:\/|$)|\/\.password-store(?:\/|$)|\/\.local\/share\/keyrings(?:\/|$)|\/Library\/Keychains(?:\/|$)/,
  /\/[._]netrc$|\/\.git-credentials$|\/\.config\/(?:gh\/hosts\.yml|hub|glab-cli\/config\.yml|github-copilot\/\w+\.json)$/,
  // Clouds.
  /\/\.aws\/(?:credentials|sso\/.*|cli\/cache\/.*|\*)$|\/\.config\/(?:gcloud\/.*|doctl\/config\.yaml|rclone\/rclone\.conf|op\/.*|sops\/.*)$/,
  /\/\.azure\/(?:accessTokens\.json|azureProfile\.json|msal_.*)$|\/\.oci\/(?:config|.*\.pem)$|\/\.s3cfg$|\/\.boto$|\/\.databrickscfg$/,
  /\/\.(?:fly\/config\.yml|railway\/config\.json|supabase\/access-token|vercel\/auth\.json|netlify\/config\.json|cloudflared\/(?:cert\.pem|.*\.json))$/,
  /\/\.vault-token$|\/\.terraform\.d\/credentials.*$|\/\.terraformrc$|\/\.config\/(?:stripe\/config\.toml|ngrok\/ngrok\.yml|hcloud\/cli\.toml|solana\/id\.json)$/,
  // A whole folder of them, in a home: a project may have one of the same name for its settings.
  /^(?:~|\$HOME|\$\{HOME\}|\/root|\/(?:home|Users)\/[^/]+)\/\.(?:aws|azure|kube|docker|oci|config\/(?:gcloud|gh|op|doctl|rclone))(?:\/\*?)?$/,
  // Clusters and containers.
  /\/\.kube\/config$|\/\.docker\/config\.json$|^\/etc\/kubernetes\/(?:admin|kubelet)\.conf$|^\/etc\/rancher\/k3s\/k3s\.yaml$|^\/(?:var\/)?run\/secrets\//,
  // Registries.
  /\/\.npmrc$|\/\.pypirc$|\/\.gem\/credentials$|\/\.cargo\/credentials(?:\.toml)?$|\/\.m2\/settings(?:-security)?\.xml$|\/\.(?:config\/)?composer\/auth\.json$/,
  // Databases.
  /\/\.pgpass$|\/\.my\.cnf$|\/\.mylogin\.cnf$|\/\.smbcredentials$/,
  // The system.
  /^\/(?:private\/)?etc\/(?:shadow|gshadow|sudoers|master\.passwd|krb5\.keytab)-?$|^\/etc\/ssl\/private(?:\/|$)|^\/etc\/ssh\/ssh_host_\w+_key$/,
  /^\/proc\/(?:\d+|self|\*|\$\w+)\/(?:environ|mem)$|^\/dev\/k?mem$/,
  // Browsers and wallets.
  /\/(?:Login Data|Cookies|logins\.json|key[34]\.db|cookies\.sqlite)$|\/\.bitcoin(?:\/|$)|\/wallet\.dat$|\/\.electrum(?:\/|$)|\/\.ethereum\/keystore/,
  /\/\.(?:bash|zsh|psql|mysql|python|node_repl)_history$/,
)

/** The same in a project. */
const PROJECT_SECRETS = oneOf(
  'i',
  /(?:^|\/)\.env(?:\.(?!(?:[\w.-]*\.)?(?:example|sample|template|tpl|dist|defaults?|test|ci|schema)$)[\w.*-]+|\*)?$|(?:^|\/)\.envrc$|(?:^|\/)\.dev\.vars(?:\.(?!example)[\w-]+)?$/,
  /(?:^|\/)(?!example|sample|template|test)[\w-]+\.env$/,
  /\.(?:p12|pfx|keystore|jks|ppk|kdbx)$|(?:^|\/)(?!(?:[\w.-]*[-_.])?(?:ca|certs?|certificate|chain|fullchain|cacert|crl|pub|public|dh\w*)[\w-]*\.pem)[^/]+\.pem$/,
  /(?:^|\/)(?!pub|.*public)[^/]+\.key$|(?:^|\/)(?:id_rsa|id_ed25519|id_ecdsa|id_dsa)$/,
  /(?:^|\/)(?:[\w.-]*[-_.])?(?:secrets?|credentials?|service[-_]account|client_secret)[\w.-]*\.(?:json|ya?ml|toml|env|txt|tfvars)$|(?:^|\/)kubeconfig(?:\.ya?ml)?$/,
  /(?:^|\/)\.?secrets\/[^/]+\.(?:txt|json|ya?ml|toml|env)$|(?:^|\/)\.vault[-_]pass(?:word)?(?:\.txt)?$/,
  /(?:^|\/)[\w.-]*\.tfstate(?:\.backup)?$|(?:^|\/)(?:terraform|[\w-]+\.auto)\.tfvars$|(?:^|\/)\.htpasswd$|(?:^|\/)wp-config\.php$/,
)
/** Keys that were made for tests, and text that only has such a name. */
const NOT_SECRET =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|examples?|mocks?|node_modules|certifi)\/|\.(?:lock|md)$/

export const WEAK_SECRETS = /^\/etc\/passwd$|^\/etc\/(?:hosts|group)$/

export const MAX_PATH_CHARS = 4096

/** Most files are sources, and a command may name thousands: these few letters tell at once that a name is none of the above. */
const HINT =
  /env|key|pem|p12|pfx|jks|ppk|kdbx|secret|credential|account|tfstate|tfvars|dev\.vars|htpasswd|wp-config|vault|kubeconfig|id_/i
const HINT_IN_PLACE =
  /\/\.|^\/(?:etc|proc|dev|run|var|private)\/|Library|Login Data|ookies|logins|\.db$|wallet|_netrc|[@+!?*]\(|^[^/]/

export function isCredential(
  { path, text }: Pick<FileEffect, 'path' | 'text'>,
  { own, place }: Facts,
): boolean {
  if (path.length > MAX_PATH_CHARS || text.length > MAX_PATH_CHARS) return false
  if (!HINT_IN_PLACE.test(path) && !text.includes('/.')) return false
  if (CREDENTIALS.test(path) || CREDENTIALS.test(text) || own.credentials.includes(path)) return true
  if (!isGlob(path)) return false
  return [
    ...KNOWN_CREDENTIALS.map((file) => `${place.home}/${file}`),
    '/etc/shadow',
    ...own.credentials,
  ].some((file) => mayBe(path, file))
}

/** Where credentials mostly are: a glob may name one of them. */
const KNOWN_CREDENTIALS = [
  '.ssh/id_rsa',
  '.ssh/id_ed25519',
  '.ssh/id_ecdsa',
  '.aws/credentials',
  '.netrc',
  '.git-credentials',
  '.kube/config',
  '.docker/config.json',
  '.npmrc',
  '.pgpass',
  '.config/gh/hosts.yml',
]

export function isProjectSecret({ path, text }: Pick<FileEffect, 'path' | 'text'>): boolean {
  if (path.length > MAX_PATH_CHARS || text.length > MAX_PATH_CHARS || !HINT.test(path)) return false
  return (PROJECT_SECRETS.test(path) || PROJECT_SECRETS.test(text)) && !NOT_SECRET.test(text || path)
}

/** Whether sending the file away tells a secret. */
export function isSecret(effect: FileEffect, facts: Facts): boolean {
  return isCredential(effect, facts) || isProjectSecret(effect) || WEAK_SECRETS.test(effect.path)
}

/** Whether a program that reads the file gets to see a credential. */
export function showsSecret(effect: FileEffect, call: Call | undefined): boolean {
  const { path, text, namesOnly } = effect
  if (namesOnly || text.length > MAX_PATH_CHARS || !showsContents(call)) return false
  return CREDENTIALS.test(path) || CREDENTIALS.test(text) || isProjectSecret(effect)
}

/** What only lists, counts or tests a file, or hands it on, shows nothing of it. */
const HARMLESS =
  /^(?:ls|stat|test|\[|\[\[|file|wc|du|chmod|chown|ssh-keygen|ssh|ssh-add|scp|sftp|rsync|git|touch|mkdir|find|fd|tree|cmp|md5sum|sha\d+sum|cksum|realpath|readlink|basename|dirname|docker|podman|nerdctl|docker-compose|aws|kubectl|rm|shred|gpg)$/

/** What shows a file all the same. */
const SHOWS_WITH: Readonly<Record<string, RegExp>> = {
  git: /(?:^| )(?:--no-index|hash-object|config|diff|blame|annotate|commit|tag|merge|notes|stripspace|interpret-trailers)(?: |$)/,
  ssh: /(?:^| )-\w*F/,
  cmp: /(?:^| )(?:-\w*[lb]|--verbose|--print-bytes)/,
  docker: /(?:^| )cp /,
  podman: /(?:^| )cp /,
  nerdctl: /(?:^| )cp /,
  wc: /--files0-from/,
  du: /--files0-from/,
  file: /(?:^| )(?:-\w*f|--files-from)/,
}

/** No call: a file tool. */
export function showsContents(call: Call | undefined): boolean {
  if (call === undefined) return true
  const { program, words } = call
  const other = Object.hasOwn(SHOWS_WITH, program) ? SHOWS_WITH[program] : undefined
  if (other?.test(words.join(' '))) return true
  if (HARMLESS.test(program)) return false
  if (/^(?:[ef]?grep|rg|ag)$/.test(program)) return !has(call, '-q', '-c', '-l', '-L', '--quiet', '--count')
  if (program === 'sed')
    return !has(call, '-i', '--in-place') && !words.some((word) => /^s(.)=\.\*\1\1/.test(word))
  if (program === 'cut') return !(words.join(' ').includes('=') && /-f\s?1(?:\s|$)/.test(words.join(' ')))
  if (/awk$/.test(program)) return !words.some((word) => /^\s*\{\s*print \$1\s*\}\s*$/.test(word))
  if (program === 'openssl')
    return (
      /^(?:rsa|ec|pkey|pkcs8|pkcs12|enc|base64)$/.test(words[0] ?? '') &&
      !words.some((word) => /^-(?:noout|pubout|out|export)$/.test(word))
    )
  return true
}

/** The first file of a kind that a call shows. */
export function shownFile(facts: Facts, isKind: (effect: FileEffect) => boolean): FileEffect | undefined {
  return facts.effects.reads.find(
    (effect) => !effect.namesOnly && isKind(effect) && showsContents(facts.calls[effect.command]),
  )
}
