/** Registers and removes handlers. */
import { call } from '../../client/index.ts'
import { isProgram } from '../../core/files/program.ts'
import type { Input } from '../framework/define.ts'
import { bold, dim, note, out, outJson, plain } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function register({ flags, places }: Input<typeof commands.register>): Promise<number> {
  const { id, command, priority, json } = flags
  const events = flags.events
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const handler = await call(places, 'bus.register', { id, events, command, priority })
  const file = /^\/[\w./@+-]+/.exec(command.trim())?.[0]
  if (file !== undefined && !isProgram(file))
    note(`${plain(file)} is no file that can be run, so the command will fail. Run: chmod +x ${plain(file)}`)
  if (json) return outJson(handler)
  const { id: name, events: types, priority: rank } = handler
  out(`${bold(name)} is asked about ${types.join(', ')} ${dim(`priority ${rank}`)}`)
  return 0
}

export async function unregister({
  args: { id },
  flags,
  places,
}: Input<typeof commands.unregister>): Promise<number> {
  await call(places, 'bus.unregister', { id })
  out(flags.json ? JSON.stringify({ id }) : `${plain(id)} is not asked any more`)
  return 0
}
