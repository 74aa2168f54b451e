/**
 * gantry's home on a disk of its own, which can be full from one moment to the next: a tmpfs whose size is set to what is
 * used. With rules that decide, a warm handler, and everything that is on by default.
 */
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Places, places } from '../../src/core/files/paths.ts'
import { DENIED_PROGRAM } from './load/agent.ts'

const BASE_MB = 1_024 // the reserve, JetStream's streams, and the 64 MB that clients leave free
const KB_AN_EVENT = 8 // in the journal and the search index, with room to spare: 2 were seen
const SPARE_BYTES = 64 * 1024
const MOST_SPARE_BYTES = 1024 * 1024

const CONFIG = '[http]\nport = 0\n[collisions]\nmode = "off"\n'
const RULES = `rules:
  - id: no-production
    on: PreToolUse
    when:
      program: ${DENIED_PROGRAM}
    then:
      deny: Ask a person first.
`
const HANDLER = `import { handler, pass } from 'gantry/sdk'
export default handler({ on: 'PreToolUse', tool: 'Edit' }, () => pass())
`

export interface Home {
  readonly at: Places
  fill(): void
  free(): void
  unmount(): void
}

/** In a mount namespace of its own: nobody else sees this disk, and it goes with the last process. */
export function makeDisk(dir: string, events: number): Home {
  const mb = Math.ceil(BASE_MB + (KB_AN_EVENT * events) / 1024)
  mount('-t', 'tmpfs', '-o', `size=${mb}m,mode=700`, 'tmpfs', dir)
  const at = places({}, dir)
  for (const folder of [at.config, at.rules, at.handlers]) mkdirSync(folder, { mode: 0o700 })
  writeFileSync(at.configFile, CONFIG, { mode: 0o600 })
  writeFileSync(join(at.rules, 'soak.yaml'), RULES, { mode: 0o600 })
  writeFileSync(join(at.handlers, 'soak.ts'), HANDLER, { mode: 0o600 })
  const resize = (size: string) => mount('-o', `remount,size=${size}`, dir)
  return {
    at,
    fill: () => {
      // It refuses to be smaller than what somebody has written meanwhile.
      for (let spare = 0; ; spare += SPARE_BYTES) {
        const { blocks, bfree, bsize } = statfsSync(dir)
        try {
          return resize(String((blocks - bfree) * bsize + spare))
        } catch (error) {
          if (spare >= MOST_SPARE_BYTES) throw error
        }
      }
    },
    free: () => resize(`${mb}m`),
    unmount: () => void Bun.spawnSync(['umount', '-l', dir]),
  }
}

function mount(...argv: string[]): void {
  const { success, stderr } = Bun.spawnSync(['mount', ...argv])
  if (!success) throw new Error(`mount ${argv.join(' ')}: ${stderr.toString().trim()}`)
}
