/**
 * The views of the page and their addresses, for the daemon, which serves only these, and for the browser, which shows them.
 * Loaded at the daemon's start, so it imports nothing.
 */
const LIST = [
  { at: '', name: 'Fleet', listed: true, below: 'nothing', styles: 'fleet' },
  { at: 'session', name: 'Session', listed: false, below: 'something' },
  { at: 'journal', name: 'Journal', listed: true },
  { at: 'insights', name: 'Insights', listed: true },
  { at: 'rules', name: 'Rules', listed: true, styles: 'ops' },
  { at: 'schema', name: 'Schema', listed: true, styles: 'ops' },
  { at: 'bus', name: 'Bus', listed: true, below: 'nothing', styles: 'ops' },
  { at: 'doctor', name: 'Doctor', listed: true, styles: 'ops' },
] as const satisfies readonly Listed[]

interface Listed {
  /** First part of the address. */
  readonly at: string
  readonly name: string
  /** In the navigation. */
  readonly listed: boolean
  /** What has to follow its address, if it matters: nothing, or a name. */
  readonly below?: 'nothing' | 'something'
  /** Whose styles it has, if not those of its own name. */
  readonly styles?: 'fleet' | 'ops'
}

export type ViewName = (typeof LIST)[number]['at']
type PageView = Listed & { readonly at: ViewName }

export const PAGE_VIEWS: readonly PageView[] = LIST

export function viewAt(path: string): PageView | undefined {
  if (path.includes('//')) return undefined
  const [, first = '', more = ''] = path.split('/')
  return PAGE_VIEWS.find(({ at, below }) => at === first && below !== (more === '' ? 'something' : 'nothing'))
}
