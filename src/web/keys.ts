/**
 * Keys of the page, most of them as on the terminal. A view declares its own with what they do, and the help shows those that
 * work at the moment.
 *
 *   useKeys([{ keys: ['j', 'ArrowDown'], shown: 'j ↓', does: 'next session', run: () => move(1) }])
 */
import { useEffect, useRef } from 'react'

interface KeyAction {
  /** As `KeyboardEvent.key` names them; `^d` is ctrl-d. */
  readonly keys: readonly string[]
  /** How the help writes them; the first key where that is the same. */
  readonly shown?: string
  readonly does: string
  /** False leaves the key to the browser. */
  readonly run: (key: string) => unknown
}

type Active = Set<{ current: readonly KeyAction[] }>

const active = { view: new Set() as Active, everywhere: new Set() as Active }

export function useKeys(actions: readonly KeyAction[], where: keyof typeof active = 'view'): void {
  const ref = useRef(actions)
  useEffect(() => {
    ref.current = actions
  })
  useEffect(() => {
    active[where].add(ref)
    return () => void active[where].delete(ref)
  }, [where])
}

/** All keys that work now, those of the view first. */
export function shownKeys(): (KeyAction & { readonly shown: string })[] {
  return [...active.view, ...active.everywhere].flatMap(({ current }) =>
    current.map((one) => ({ ...one, shown: one.shown ?? one.keys[0] ?? '' })),
  )
}

export function listenForKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.metaKey || event.altKey || event.isComposing) return
    if (document.querySelector('dialog[open]')) return
    if (isTyping(event.target)) return
    // Enter and space on a button or a link are its own.
    if ((event.key === 'Enter' || event.key === ' ') && isControl(event.target)) return
    const key = event.ctrlKey ? `^${event.key}` : event.key
    const action = shownKeys().find(({ keys }) => keys.includes(key))
    if (action && action.run(key) !== false) event.preventDefault()
  })
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  )
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a, summary, [role=tab]') !== null
}
