/** Which paths are the page's. Loaded at the start, so it imports nothing. */

const VIEWS = /^\/(?:(?:journal|session|insights|rules|schema|doctor)(?:\/[^/]+)*|bus)?$/

/** One of the page's views; the browser shows which. */
export function isView(pathname: string): boolean {
  return VIEWS.test(pathname)
}

export function isPagePath(pathname: string): boolean {
  return pathname === '/open' || /^\/(assets|api)\//.test(pathname) || isView(pathname)
}
