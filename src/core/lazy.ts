/**
 * A module that a start leaves out: whoever first needs it loads it, and `preload` does when the daemon is quiet. It is declared
 * where it is used, so there is no other list of these modules.
 *
 *   const peer = lazy(() => require('./peer.ts') as typeof import('./peer.ts'))
 */
const declared: (() => unknown)[] = []

export function lazy<T>(load: () => T): () => T {
  declared.push(load)
  return load
}

export function lazyModules(): readonly (() => unknown)[] {
  return declared
}
