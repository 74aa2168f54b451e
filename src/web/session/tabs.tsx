/** The tabs of a session: real links, so that each opens in a window of its own; arrows move between them. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useKeys } from '../keys.ts'
import { go, linkTo } from '../router.ts'
import { shownPath, TAB_NAMES, TABS, type Tab } from './address.ts'

interface Props {
  readonly sessionKey: string
  readonly tab: Tab
  readonly notes: Partial<Record<Tab, ReactNode>>
}

export function Tabs({ sessionKey, tab, notes }: Props) {
  const step = (by: number): Tab => {
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length] ?? tab
    go(shownPath(sessionKey, { tab: next }))
    return next
  }
  useKeys([
    { keys: [']'], does: 'next tab', run: () => step(1) },
    { keys: ['['], does: 'previous tab', run: () => step(-1) },
  ])
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const tabs = event.currentTarget
    const next = step(by)
    requestAnimationFrame(() => tabs.querySelector<HTMLElement>(`[data-tab=${next}]`)?.focus())
  }
  const list = useRef<HTMLDivElement>(null)
  // On a phone the tabs are wider than the screen.
  useEffect(() => {
    list.current?.querySelector(`[data-tab=${tab}]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab])
  return (
    <div
      ref={list}
      className="tab-row"
      role="tablist"
      aria-label="Views of this session"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {TABS.map((one) => (
        <a
          key={one}
          id={`tab-${one}`}
          data-tab={one}
          role="tab"
          aria-selected={one === tab}
          aria-controls="session-panel"
          tabIndex={one === tab ? 0 : -1}
          {...linkTo(shownPath(sessionKey, { tab: one }))}
        >
          {TAB_NAMES[one]}
          {notes[one] ? <span className="note"> {notes[one]}</span> : null}
        </a>
      ))}
    </div>
  )
}
