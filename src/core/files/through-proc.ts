/**
 * `/proc/<a process>/root` is the root of the file system, and `/proc/<a process>/cwd` its folder. Of a process in another
 * namespace that may be wrong; the path is dangerous there, too.
 *
 *   throughProc('/proc/self/root/etc/shadow', '/home/a')   // '/etc/shadow'
 */
export function throughProc(path: string, cwd: string): string {
  let now = path
  for (let i = 0; i < MAX_TIMES && now.includes('/proc/'); i++) {
    const [all = '', link] = LINK.exec(now) ?? []
    if (link === undefined) break
    now = (link === 'cwd' ? cwd : '') + now.slice(all.length) || '/'
  }
  return now
}

const LINK = /^(?:\/+\.)*\/+proc\/+(?:\.\/+)*[^/]+\/+(?:task\/+[^/]+\/+)?(root|cwd)(?=\/|$)/
const MAX_TIMES = 16
