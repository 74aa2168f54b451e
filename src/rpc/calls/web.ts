/** The page: links to it, and the browsers that may answer permissions. */
import { z } from 'zod'
import { guardedCall, openCall } from '../definition.ts'

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
  'web.link': guardedCall({
    summary: 'A link to the page that works once, within ten minutes',
    args: z.strictObject({ to: view.default('/') }),
    result: z.custom<{ readonly url: string }>(),
    example: { to: '/journal' },
  }),
  'web.devices': openCall({
    summary: 'Browsers that may answer permissions in the page',
    result: z.custom<readonly WebDevice[]>(),
  }),
  'web.allow': guardedCall({
    summary: 'Lets the browser that shows this code answer permissions; needs a signature',
    args: z.strictObject({ code: z.string().regex(/^\d{6}$/), proof: z.string().min(1).max(128) }),
    result: z.custom<WebDevice>(),
    example: { code: '123456', proof: '…' },
  }),
  'web.revoke': guardedCall({
    summary: 'Takes that back for a browser',
    args: z.strictObject({ device: z.string().min(1).max(64).describe('its id or the beginning of it') }),
    result: z.custom<WebDevice>(),
    example: { device: '8f3a' },
  }),
  'web.signOut': guardedCall({
    summary: 'Signs out every browser',
    result: z.custom<{ readonly browsers: number }>(),
  }),
}
