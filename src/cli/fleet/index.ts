/** Commands about a fleet of machines: its hub, and who is in it. */
import { type Command, command, define, flag } from '../framework/define.ts'
import { json } from '../framework/options.ts'

const dir = { kind: 'dir', help: "Folder of the hub's files (default: hub/ beside gantry.toml)" } as const

export const init = define({
  name: 'fleet init',
  summary: "Write the configuration of a fleet's hub",
  args: [
    {
      name: 'url',
      kind: 'text',
      required: true,
      missing: 'Where do hosts reach the hub? gantry fleet init tls://hub.example:7422 …',
    },
  ],
  options: {
    'tls-cert': { kind: 'file', help: "File with the hub's certificate" },
    'tls-key': { kind: 'file', help: 'File with its key' },
    'tls-ca': {
      kind: 'file',
      help: 'File with the authority of the certificate; hosts get it with their login',
    },
    'tls-verify': flag('Hosts need a certificate of that authority, too'),
    plain: flag('Without TLS: passwords and events cross the network readable'),
    'client-port': {
      kind: 'count',
      most: 65535,
      default: 4223,
      help: 'Port for consumers on the hub itself, on loopback',
    },
    'max-gb': {
      kind: 'count',
      most: 100_000,
      default: 10,
      help: 'What the streams of the fleet may take on its disk',
    },
    domain: { kind: 'text', value: 'name', default: 'hub', help: 'Its JetStream domain' },
    dir,
  },
  examples: {
    'gantry fleet init tls://hub.example:7422 --tls-cert hub.pem --tls-key hub.key --tls-ca ca.pem':
      'Writes hub.conf for a nats-server, and prints what to do next',
    'gantry fleet init nats-leaf://127.0.0.1:7422': 'A hub for hosts on this machine alone, to try it',
  },
})

export const add = define({
  name: 'fleet add',
  summary: 'Make a login for a host on the hub, and print its join file',
  args: [
    {
      name: 'host',
      kind: 'text',
      required: true,
      missing: 'Which host? Its name on the bus: gantry fleet add build-1 > build-1.join.',
    },
  ],
  options: { dir },
  examples: {
    'gantry fleet add build-1 > build-1.join': 'A file with a password, for "gantry fleet join" on that host',
    'gantry fleet add build-1 | ssh build-1 gantry fleet join -': 'The same, without a file',
  },
})

export const join = define({
  name: 'fleet join',
  summary: 'Make this host a leaf node of a hub',
  args: [
    {
      name: 'from',
      kind: 'text',
      value: 'file|-|url',
      required: true,
      missing:
        'Name the file that "gantry fleet add" printed on the hub, "-" for stdin, or the address of a hub.',
    },
  ],
  options: {
    name: {
      kind: 'text',
      help: 'Name of this host on the bus (default: the one of the join file, or its host name)',
    },
    user: { kind: 'text', help: 'With an address: user name at the hub' },
    'password-file': { kind: 'file', help: 'With an address: file with the password; "-" reads stdin' },
    creds: { kind: 'file', help: 'With an address: file with user credentials (JWT and seed)' },
    'tls-ca': { kind: 'file', help: "File with the authority of the hub's certificate" },
    'tls-cert': { kind: 'file', help: 'File with the certificate of this host' },
    'tls-key': { kind: 'file', help: 'File with its key' },
    domain: { kind: 'text', value: 'name', help: 'JetStream domain of the hub (default: hub)' },
    offline: flag('Write it although the hub cannot be reached now'),
  },
  examples: {
    'gantry fleet join build-1.join': 'Tries the login, writes it to gantry.toml, and waits for the hub',
    'gantry fleet join tls://hub.example:7422 --user build-1 --password-file - < password':
      'The same with an address; no secret is in the command line',
  },
})

export const leave = define({
  name: 'fleet leave',
  summary: 'Take this host, or one that is gone, out of the fleet',
  args: [{ name: 'host', kind: 'text' }],
  options: { now: flag('Leave even if the hub does not have everything yet, or cannot be reached') },
  examples: {
    'gantry fleet leave': 'What this host sent stays on the hub; it goes on alone',
    'gantry fleet leave build-3': 'From any host: the hub asks build-3 no more',
  },
})

export const hosts = define({
  name: 'fleet hosts',
  summary: 'Show the hub, its hosts, who is silent, and how far each is behind',
  shows: 'config',
  options: { json },
  examples: {
    'gantry fleet hosts': 'One line for each host; exit 1 if this host cannot reach its hub',
    'gantry fleet hosts --json | jq -r \'.hosts[] | select(.state == "silent") | .host\'':
      'Prints who is silent',
  },
})

export const commands: readonly Command[] = [
  command(init, () => import('./hub.ts'), 'init'),
  command(add, () => import('./hub.ts'), 'add'),
  command(join, () => import('./join.ts')),
  command(leave, () => import('./leave.ts')),
  command(hosts, () => import('./hosts.ts')),
]
