/** Commands about gantry.toml and the rules. */
import { type Command, command, define } from '../framework/define.ts'
import { json } from '../framework/options.ts'

export const path = define({
  name: 'config path',
  summary: 'Print the path of the configuration folder, of a file in it, or of another file of gantry',
  args: [
    {
      name: 'which',
      kind: 'choice',
      choices: ['folder', 'file', 'rules', 'handlers', 'log', 'database', 'socket', 'token', 'http'],
    },
  ],
  options: { json },
  examples: {
    'gantry config path': 'Prints the folder that has gantry.toml and rules/',
    'gantry config path file': 'Prints the path of gantry.toml',
    'gantry config path token':
      'Prints the path of the token that HTTP asks for; its address is in the file "http"',
  },
})

export const check = define({
  name: 'config check',
  summary: 'Check gantry.toml and the rules; exit 1 with file, line and key of every mistake',
  options: { json },
  examples: { 'gantry config check': 'Needs no daemon: run it before a start, or in CI' },
})

export const show = define({
  name: 'config show',
  summary: 'Show every value in force, and its source; secrets are left out',
  args: [{ name: 'key', kind: 'key', value: 'table|key' }],
  options: { json },
  examples: {
    'gantry config show': 'Key, value, and the line of gantry.toml, a variable or "default"',
    'gantry config show nats': 'Shows one table',
  },
})

export const edit = define({
  name: 'config edit',
  summary: 'Open gantry.toml in your editor, and check it afterwards',
  examples: {
    'gantry config edit': 'Uses $VISUAL or $EDITOR; exit 1 if the file has mistakes',
  },
})

const missing = 'Say key and value: gantry config set http.port 4600.'

export const set = define({
  name: 'config set',
  summary: 'Set a key of gantry.toml; comments and everything else stay as they are',
  args: [
    { name: 'key', kind: 'key', required: true, missing },
    { name: 'value', kind: 'setting', required: true, missing },
  ],
  examples: {
    'gantry config set http.port 4600':
      'Checks the value before it is written; the daemon applies it at once',
    'gantry config set nats.mode off': 'gantry starts no nats-server',
    'gantry config set notify.channels.phone.after_s 60':
      'Changes the channel of that name; add a new one with "gantry config edit"',
  },
})

export const commands: readonly Command[] = [
  command(path, () => import('./config.ts'), 'path'),
  command(check, () => import('./config.ts'), 'check'),
  command(show, () => import('./config.ts'), 'show'),
  command(edit, () => import('./config.ts'), 'edit'),
  command(set, () => import('./config.ts'), 'set'),
]
