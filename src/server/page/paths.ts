/** Which paths are the page's. Loaded at the start, so it imports only the list of views. */
import { viewAt } from '../../client/page-views.ts'

export function isPagePath(pathname: string): boolean {
  return pathname === '/open' || /^\/(assets|api)\//.test(pathname) || viewAt(pathname) !== undefined
}

/** A person followed a link or typed an address: programs ask for no HTML, and say who they are. */
export function isNavigation({ method, headers }: Request): boolean {
  return (
    method === 'GET' && /\btext\/html\b/.test(headers.get('accept') ?? '') && !headers.has('authorization')
  )
}
