import { resolve } from 'node:path'
import { call, type FileWriteView } from '../../client/index.ts'
import { realPath } from '../../core/files/real-path.ts'
import { age } from '../../core/text/amount.ts'
import type { Input } from '../framework/define.ts'
import { bold, dim, outList, padTo, plain, short } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({ args: { path }, flags, places }: Input<typeof commands.files>): Promise<number> {
  const { limit } = flags
  const found = await call(places, 'files.recent', {
    limit,
    ...(path === undefined ? {} : { path: realPath(resolve(path)) }),
  })
  const now = Date.now()
  const none = 'No session wrote there lately. How long a write counts: gantry config show collisions'
  return outList(flags.json, found, (one) => line(one, now), none)
}

function line({ path, at, tool, session, ended, host }: FileWriteView, now: number): string {
  const who = `${bold(padTo(plain(session.name), 18))} ${padTo(plain(session.agent), 9)}`
  const notes = [plain(tool), host && `on ${plain(host)}`, ended && 'ended'].filter(Boolean).join(' · ')
  return `${age(now - at).padStart(4)}  ${who} ${plain(short(path))}  ${dim(notes)}`
}
