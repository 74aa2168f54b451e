/** What a person presses. Every action that has a key shows it on its button. */
import type { ComponentProps, ReactNode, RefObject } from 'react'

interface ButtonProps extends ComponentProps<'button'> {
  /** The key that does the same. */
  readonly hint?: string | undefined
  readonly kind?: 'main' | 'plain' | 'danger'
}

export function Button({ hint, kind = 'plain', children, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button ${kind} ${className}`} {...rest}>
      {children}
      {hint === undefined ? null : <Key>{hint}</Key>}
    </button>
  )
}

export function Key({ children }: { readonly children: ReactNode }) {
  return (
    <span aria-hidden="true">
      <kbd>{children}</kbd>
    </span>
  )
}

interface ChipProps {
  readonly on?: boolean
  readonly onClick?: () => void
  readonly title?: string
  readonly children: ReactNode
}

/** A filter, which says how many it shows; without `onClick` only the saying. */
export function Chip({ on = false, onClick, title, children }: ChipProps) {
  if (!onClick)
    return (
      <span className="chip said" title={title}>
        {children}
      </span>
    )
  return (
    <button type="button" className="chip" aria-pressed={on} onClick={onClick} title={title}>
      {children}
    </button>
  )
}

interface SearchFieldProps {
  readonly label: string
  /** What is searched. */
  readonly hint: string
  readonly value: string
  readonly field: RefObject<HTMLInputElement | null>
  readonly onType: (text: string) => void
  /** Enter, or Escape, which also empties the field. */
  readonly onDone?: (text: string) => void
}

export function SearchField({ label, hint, value, field, onType, onDone }: SearchFieldProps) {
  return (
    <input
      ref={field}
      type="search"
      className="field"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={`${hint}   /`}
      maxLength={1_000}
      value={value}
      onChange={({ target }) => onType(target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return
        event.preventDefault()
        if (event.key === 'Escape') onType('')
        onDone?.(event.key === 'Escape' ? '' : value.trim())
        field.current?.blur()
      }}
    />
  )
}
