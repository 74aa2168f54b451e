/** The page: links to it. */
import { z } from 'zod'
import { defineRpc } from '../definition.ts'

const view = z.string().regex(/^\/(?![/\\])[^\\]{0,400}$/, { error: 'a path of the page, such as /journal' })

export const webCalls = {
  'web.link': defineRpc({
    summary: 'A link to the page that works once, within ten minutes; refused inside an agent',
    args: z.strictObject({ to: view.default('/') }),
    result: z.custom<{ readonly url: string }>(),
    example: { to: '/journal' },
  }),
  'web.signOut': defineRpc({
    summary: 'Signs out every browser; refused inside an agent',
    result: z.custom<{ readonly browsers: number }>(),
  }),
}
