/**
 * A module that is not loaded at startup: the first use loads it, or `preload` does when the daemon is quiet. Each is
 * declared where it is used; there is no other list.
 *
 *   const peer = lazy(() => require('./peer.ts') as typeof import('./peer.ts'))
 */
const declared: (() => unknown)[] = []

/** `require` takes 3 µs for a module that is loaded, too (Bun 1.4.4), and a hook uses several; so it is asked once. */
export function lazy<T>(load: () => T): () => T {
  let loaded: T | undefined
  const get = (): T => {
    if (loaded !== undefined) return loaded
    const got = load()
    if (!(got instanceof Promise)) loaded = got // one that fails may be tried again
    return got
  }
  declared.push(get)
  return get
}

export function lazyModules(): readonly (() => unknown)[] {
  return declared
}
