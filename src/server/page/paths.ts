/** Which paths are the page's. Loaded at the start, so it imports nothing. */

const VIEWS = /^\/(?:(?:journal|session|insights|rules|schema|doctor)(?:\/[^/]+)*\/?|bus\/?)?$/

/** One of the page's views; the browser shows which. */
export function isView(pathname: string): boolean {
  return VIEWS.test(pathname)
}

export function isPagePath(pathname: string): boolean {
  return pathname === '/open' || /^\/(assets|api)\//.test(pathname) || isView(pathname)
}

/** A person followed a link or typed an address: programs ask for no HTML, and say who they are. */
export function isPersons({ method, headers }: Request): boolean {
  return (
    method === 'GET' && /\btext\/html\b/.test(headers.get('accept') ?? '') && !headers.has('authorization')
  )
}
