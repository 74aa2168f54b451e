/**
 * Which view the address names. Links are real links, so that they open in other tabs; a plain click changes the view
 * without loading the page.
 */
import { type MouseEvent, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (to === location.pathname + location.search) return
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', to)
  for (const listener of listeners) listener()
}

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}

/** The part of the address behind `?`; views keep their filters there, so that a link shows the same. */
export function useQuery(): URLSearchParams {
  return new URLSearchParams(useSyncExternalStore(subscribe, () => location.search))
}

/** Spread over an `<a>`. */
export function linkTo(to: string): { href: string; onClick: (event: MouseEvent) => void } {
  return {
    href: to,
    onClick: (event) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      go(to)
    },
  }
}

export function sessionPath(key: string): string {
  return `/session/${encodeURIComponent(key)}`
}

/** The parts behind the view's own name: `/session/claude%3A1` → `['claude:1']`. */
export function partsOf(path: string): string[] {
  return path
    .split('/')
    .slice(2)
    .map((part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })
}
