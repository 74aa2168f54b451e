/** The page's line in `gantry doctor`. */
import type { Finding } from '../../rpc/index.ts'
import { hasPage } from './assets.ts'

export function pageFindings(): Finding[] {
  if (hasPage()) return []
  return [
    {
      level: 'warn',
      about: 'page',
      message: 'the page was not built, so "gantry web" shows nothing',
      fix: 'In the checkout, run: npm install',
    },
  ]
}
