/** Calls about the page: links to it. */
import { GantryError } from '../../core/errors.ts'
import type { CallHandlers } from '../../rpc/index.ts'
import type { Page } from './service.ts'

export interface WebCallParts {
  readonly page: () => Promise<Page>
  /** The address of HTTP, if it is on. */
  readonly url: () => string | undefined
}

export function webCalls({ page, url }: WebCallParts) {
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
    'web.signOut': async () => ({ browsers: (await page()).signOut() }),
  } satisfies Partial<CallHandlers>
}
