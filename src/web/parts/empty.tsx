/** What a view says when it has nothing to show: why, and what to do about it. */
import type { ReactNode } from 'react'

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** A command for the terminal, which a click copies. */
export function Command({ children }: { readonly children: string }) {
  return (
    <button
      type="button"
      className="command"
      title="Copy"
      onClick={({ currentTarget }) => {
        void navigator.clipboard?.writeText(children).then(() => {
          currentTarget.dataset.copied = 'yes'
          setTimeout(() => delete currentTarget.dataset.copied, 1_500)
        })
      }}
    >
      <code>{children}</code>
    </button>
  )
}
