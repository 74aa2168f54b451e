/** What a screen shows: a state, with the time and in the colours of the terminal's theme. */
import { Live } from './live.ts'
import { type Palette, paletteFor } from './palette.ts'
import type { Screen } from './screen.tsx'

const TICK_MS = 1_000 // ages are shown in seconds

interface Look<State> {
  readonly state: State
  readonly now: number
  readonly palette: Palette
}

/** Made before its screen is open, since keys may come at once. */
export class LiveLook<State> extends Live<Look<State>> {
  #mayBlink = false
  #tick: ReturnType<typeof setInterval> | undefined

  constructor(state: State) {
    super({ state, now: Date.now(), palette: paletteFor(process.env, null) })
  }

  /** Shown at once. */
  readonly change = (by: (state: State) => State): void => this.set((look) => withState(look, by(look.state)))

  /** Shown with the next frame. */
  readonly news = (by: (state: State) => State): void => this.later((look) => withState(look, by(look.state)))

  /** From now on the time runs, and the colours follow the theme. */
  open(screen: Screen, aged = (state: State, _now: number): State => state): void {
    screen.renderer.on('theme_mode', () => this.#paint(screen))
    if (screen.renderer.themeMode) this.#paint(screen)
    this.#tick = setInterval(() => {
      const now = Date.now()
      this.set((look) => ({ ...look, now, state: aged(look.state, now) }))
    }, TICK_MS)
  }

  /** What needs a person may blink. */
  blink(screen: Screen): void {
    this.#mayBlink = true
    this.#paint(screen)
  }

  override close(): void {
    clearInterval(this.#tick)
    super.close()
  }

  #paint({ renderer: { themeMode } }: Screen): void {
    this.set((look) => ({ ...look, palette: paletteFor(process.env, themeMode, this.#mayBlink) }))
  }
}

function withState<State>(look: Look<State>, state: State): Look<State> {
  return state === look.state ? look : { ...look, state }
}
