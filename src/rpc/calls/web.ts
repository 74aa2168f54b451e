/** The page: links to it, and the browsers that may answer permissions. */
import { z } from 'zod'
import { defineRpc } from '../definition.ts'

/** A browser that may answer for a person. */
export interface WebDevice {
  readonly id: string
  /** How the browser calls itself. */
  readonly label: string
  /** When it was allowed. */
  readonly at: number
  /** When it last answered. */
  readonly usedAt: number | null
}

const view = z.string().regex(/^\/(?![/\\])[^\\]{0,400}$/, { error: 'a path of the page, such as /journal' })

export const webCalls = {
  'web.link': defineRpc({
    summary: 'A link to the page that works once, within ten minutes; refused inside an agent',
    args: z.strictObject({ to: view.default('/') }),
    result: z.custom<{ readonly url: string }>(),
    example: { to: '/journal' },
  }),
  'web.devices': defineRpc({
    summary: 'Browsers that may answer permissions in the page',
    result: z.custom<readonly WebDevice[]>(),
  }),
  'web.allow': defineRpc({
    summary:
      'Lets the browser that shows this code answer permissions; needs a signature, and is refused inside an agent',
    args: z.strictObject({ code: z.string().regex(/^\d{6}$/), proof: z.string().min(1).max(128) }),
    result: z.custom<WebDevice>(),
    example: { code: '123456', proof: '…' },
  }),
  'web.revoke': defineRpc({
    summary: 'Takes that back for a browser; refused inside an agent',
    args: z.strictObject({ device: z.string().min(1).max(64).describe('its id or the beginning of it') }),
    result: z.custom<WebDevice>(),
    example: { device: '8f3a' },
  }),
  'demo.start': defineRpc({
    summary:
      'Plays recorded sessions into this daemon for three minutes, if no agent works; they are marked as replayed',
    /** UTC milliseconds. */
    result: z.custom<{ readonly until: number }>(),
  }),
  'demo.stop': defineRpc({
    summary: 'Ends them',
    result: z.custom<{ readonly stopped: boolean }>(),
  }),
  'web.signOut': defineRpc({
    summary: 'Signs out every browser; refused inside an agent',
    result: z.custom<{ readonly browsers: number }>(),
  }),
}
