/** Who can replace gantry's folders: anybody who may rename in a parent folder. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Finding } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'

const WRITABLE_BY_ALL = 0o002
const STICKY = 0o1000 // only owners may rename and remove, as in /tmp

export function parentFindings({ config, state, run }: Places): Finding[] {
  const parents = new Set([config, state, run].flatMap(parentsOf))
  return [...parents].flatMap((folder): Finding[] => {
    const { mode, uid } = statSync(folder)
    const isStrange = uid !== 0 && uid !== process.getuid?.()
    const isOpen = (mode & WRITABLE_BY_ALL) !== 0 && (mode & STICKY) === 0
    if (!isStrange && !isOpen) return []
    const what = isStrange ? 'belongs to another user, who' : 'lets everybody write, and whoever does'
    return [
      {
        level: 'warn',
        about: 'folders',
        message: `${folder} is above gantry's folders and ${what} can put others in their place`,
        fix: isStrange
          ? `Set GANTRY_HOME to a folder below your own, or: sudo chown "$USER" '${folder}'`
          : `chmod o-w '${folder}'`,
      },
    ]
  })
}

/** From the innermost existing folder up, with links resolved. */
function parentsOf(folder: string): string[] {
  const above = dirname(folder)
  if (above === folder) return []
  if (!existsSync(above)) return parentsOf(above)
  const real = realpathSync(existsSync(folder) ? folder : above)
  const first = existsSync(folder) ? dirname(real) : real
  const parents = [first]
  for (let at = first; at !== dirname(at); at = dirname(at)) parents.push(dirname(at))
  return parents
}
