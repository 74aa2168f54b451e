/** How many need you, in the title and the favicon: seen even while another tab is open. */
import { live } from './store.ts'

let view = ''
let drawn = ''

export function keepTitle(): void {
  live.watch(draw)
  draw()
}

/** The name of the current view. */
export function setTitle(name: string): void {
  view = name
  draw()
}

/** Sessions that need a person, on this host and others. */
export function needsCount(): number {
  const { sessions, hosts } = live.get()
  let count = 0
  for (const session of sessions.values()) if (session.needsYou) count += 1
  for (const { state, sessions: theirs } of hosts)
    if (state === 'here') count += theirs.filter(({ needsYou }) => needsYou).length
  return count
}

function draw(): void {
  const count = needsCount()
  const away = live.get().link.state === 'away' || live.get().link.state === 'signed-out'
  const title = `${count > 0 ? `▲${count} ` : ''}${view ? `${view} · ` : ''}gantry`
  if (document.title !== title) document.title = title
  const icon = iconOf(count, away)
  if (icon === drawn) return
  drawn = icon
  document.querySelector('link[rel=icon]')?.setAttribute('href', icon)
}

/** The mark of the sessions' own: a triangle with the number if somebody waits, else a calm dot. */
function iconOf(count: number, away: boolean): string {
  const text = count > 9 ? '9+' : String(count)
  const inside =
    count > 0
      ? `<rect width="32" height="32" rx="7" fill="#b97400"/><text x="16" y="23" font-family="sans-serif" font-weight="700" font-size="${count > 9 ? 17 : 21}" fill="#fff" text-anchor="middle">${text}</text>`
      : `<rect width="32" height="32" rx="7" fill="#22303c"/><path d="M7 24V11h18v13M7 15h18" stroke="${away ? '#8b97a5' : '#49c089'}" stroke-width="3" fill="none"/>`
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${inside}</svg>`)}`
}
