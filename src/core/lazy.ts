/**
 * A module that is not loaded at startup: the first use loads it, or `preload` does when the daemon is quiet. Each is
 * declared where it is used; there is no other list.
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
