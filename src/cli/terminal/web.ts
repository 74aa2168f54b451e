/** Opens the page in a browser. */
import { call } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import type { Input } from '../framework/define.ts'
import { counted, cyan, dim, out, outJson } from '../framework/terminal.ts'
import type * as commands from './index.ts'

const OPENED_MS = 3_000 // a browser that is started stays; its starter ends

export async function open({ args, flags, places }: Input<typeof commands.web>): Promise<number> {
  const { url } = await call(places, 'web.link', { to: await viewOf(places, args.session) })
  if (flags.json) return outJson({ url })
  const isOpened = !flags.print && (await openBrowser(url))
  out(flags.print ? url : cyan(url))
  if (!flags.print)
    out(
      dim(
        isOpened ? 'Opened in your browser.' : 'Open this link in a browser on this machine. It works once.',
      ),
    )
  return 0
}

export async function signOut({ flags, places }: Input<typeof commands.webSignOut>): Promise<number> {
  const { browsers } = await call(places, 'web.signOut')
  if (flags.json) return outJson({ browsers })
  out(`Signed out ${counted(browsers, 'browser')}.`)
  return 0
}

async function viewOf(places: Places, session: string | undefined): Promise<string> {
  if (session === undefined) return '/'
  const { key } = await call(places, 'sessions.get', { session })
  return `/session/${encodeURIComponent(key)}`
}

/** Where there is no display, a browser would open in the terminal, or nowhere. */
async function openBrowser(url: string): Promise<boolean> {
  const isMac = process.platform === 'darwin'
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const program = Bun.which(isMac ? 'open' : 'xdg-open')
  if (program === null || !(isMac || DISPLAY || WAYLAND_DISPLAY)) return false
  const child = Bun.spawn([program, url], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  child.unref()
  const exit = await Promise.race([child.exited, Bun.sleep(OPENED_MS).then(() => 0)])
  return exit === 0
}
