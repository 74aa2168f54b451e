/** Calls about the page: links to it, and the browsers that may answer. */
import { sameText } from '../../bus/index.ts'
import { proofOver } from '../../client/approvals.ts'
import { GantryError } from '../../core/errors.ts'
import type { CallHandlers, WebDevice } from '../../rpc/index.ts'
import type { Demo } from './demo.ts'
import type { Device } from './devices.ts'
import type { Page } from './service.ts'

interface WebCallParts {
  readonly page: () => Promise<Page>
  /** The address of HTTP, if it is on. */
  readonly url: () => string | undefined
  /** The key that proves a person's answers. */
  readonly key: () => string
  readonly demo: Demo
}

export function webCalls({ page, url, key, demo }: WebCallParts) {
  return {
    'web.link': async ({ to }) => {
      const address = url()
      if (address === undefined)
        throw new GantryError(
          'VALIDATION_ERROR',
          'HTTP is off, so there is no page. Run: gantry config set http.enabled true',
        )
      return { url: (await page()).link(address, to) }
    },
    'web.devices': async () => (await page()).devices.list().map(viewOf),
    'web.allow': async ({ code, proof }) => {
      if (!sameText(proof, proofOver(key(), ['device', code])))
        throw new GantryError('PERMISSION', 'It is not proved with the approval key. Use: gantry web allow')
      return viewOf((await page()).devices.allow(code, Date.now()))
    },
    'web.revoke': async ({ device }) => viewOf((await page()).devices.revoke(device)),
    'demo.start': () => demo.start(Date.now()),
    'demo.stop': () => ({ stopped: demo.stop() }),
    'web.signOut': async () => ({ browsers: (await page()).signOut() }),
  } satisfies Partial<CallHandlers>
}

function viewOf({ id, label, at, usedAt }: Device): WebDevice {
  return { id, label, at, usedAt: usedAt ?? null }
}
