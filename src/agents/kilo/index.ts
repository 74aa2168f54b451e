/** Kilo Code, seen on 7.7.7. It is built on opencode: the same plugin runs inside it, under its own name. */
import type { Agent } from '../agent.ts'
import { opencode } from '../opencode/index.ts'
import { pluginSettings } from '../opencode/settings.ts'
import { read } from './read.ts'

export const kilo: Agent = {
  ...opencode,
  id: 'kilo',
  glyph: '◫',
  marks: ['KILO'],
  read,
  settings: pluginSettings({
    agent: 'kilo',
    title: 'Kilo Code',
    programs: ['kilo', 'kilocode'],
    npmPackage: '@kilocode/cli',
    seen: '7.7.7',
    name: 'kilo',
    project: '.kilo',
  }),
}
