/** Opens the page in a browser, and says which browsers may answer there. */
import { approvalKey, proofOver } from '../../client/approvals.ts'
import { call } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { within } from '../../core/time/waits.ts'
import type { Input } from '../framework/define.ts'
import { age, bold, counted, cyan, dim, green, out, outJson, plain } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
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

export async function allow({ args, flags, places }: Input<typeof commands.webAllow>): Promise<number> {
  const code = args.code.replaceAll(/[\s-]/g, '')
  if (!/^\d{6}$/.test(code)) throw usageError('A code has six digits, e.g. gantry web allow 417093')
  const proof = proofOver(approvalKey(places), ['device', code])
  const device = await call(places, 'web.allow', { code, proof })
  if (flags.json) return outJson(device)
  out(`${green('Allowed')} ${bold(plain(device.label))} (${device.id}) to answer permissions.`)
  out(dim(`Take it back with: gantry web revoke ${device.id}`))
  return 0
}

export async function devices({ flags, places }: Input<typeof commands.webDevices>): Promise<number> {
  const list = await call(places, 'web.devices')
  if (flags.json) return outJson(list)
  if (list.length === 0) out('No browser may answer permissions yet. The page says how to allow one.')
  const now = Date.now()
  for (const { id, label, at, usedAt } of list) {
    const used = usedAt === null ? 'never used' : `last used ${age(now - usedAt)} ago`
    out(`${id}  ${bold(plain(label))}  ${dim(`allowed ${age(now - at)} ago, ${used}`)}`)
  }
  return 0
}

export async function revoke({ args, flags, places }: Input<typeof commands.webRevoke>): Promise<number> {
  const device = await call(places, 'web.revoke', { device: args.device })
  if (flags.json) return outJson(device)
  out(
    `${bold(plain(device.label))} (${device.id}) may not answer any more. It is still signed in: gantry web sign-out`,
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
  return ((await within(child.exited, OPENED_MS)) ?? 0) === 0
}
