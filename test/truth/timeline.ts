/**
 * What was true, and how well it was told. The script of a scenario marks every change that it causes or sees; what
 * gantry showed is laid beside it. Pure.
 *
 *   const truth = new Timeline('idle', now())
 *   truth.mark('working', pressed)                    // a key, an answer of the model, a dialog on the screen
 *   score(truth, samples, shown)                      // → { right, wrong, excluded, lags }
 */
export type TruePhase = 'idle' | 'working' | 'blocked' | 'compacting' | 'ended'

/** A change happened between these two moments (ms, wall clock). */
export interface Span {
  readonly from: number
  readonly to: number
  /** What it also was for a moment in between. */
  readonly by?: TruePhase
}

export interface Mark extends Span {
  readonly phase: TruePhase
}

export interface Sample {
  readonly at: number
  /** Absent while gantry could not be asked, and where it did not know the session. */
  readonly phase: string | undefined
}

export interface Lag {
  readonly phase: TruePhase
  readonly was: TruePhase
  readonly ms: number
  /** The latest moment at which it became true. */
  readonly trueAt: number
  /** Absent where it was shown before it could have become true, or not at all before the next change came. */
  readonly shownAt?: number
  /** It was not shown before the next change came. */
  readonly missed: boolean
}

export interface Score {
  readonly right: number
  readonly wrong: number
  readonly excluded: number
  readonly lags: readonly Lag[]
}

export const SAMPLE_MS = 50

/** No mark is more exact: a key takes a moment through tmux, a screen is looked at every 20 ms. */
export const SLACK_MS = 20

export function now(): number {
  return performance.timeOrigin + performance.now()
}

/** The moment that a clock outside of this process noted. */
export function moment(at: number): Span {
  return { from: at, to: at }
}

export class Timeline {
  readonly marks: Mark[]
  #end = Number.POSITIVE_INFINITY

  constructor(phase: TruePhase, at: number) {
    this.marks = [{ phase, ...moment(at) }]
  }

  get end(): number {
    return this.#end
  }

  mark(phase: TruePhase, span: Span): void {
    const last = this.marks.at(-1)
    if (last && span.to < last.to)
      throw new Error(`${phase} is marked before ${last.phase}, which came first`)
    this.marks.push({ ...span, phase })
  }

  finish(at: number): void {
    this.#end = at
  }
}

export function score(truth: Timeline, samples: readonly Sample[], shown: readonly Sample[]): Score {
  const start = truth.marks[0]?.to ?? 0
  let [right, wrong, excluded] = [0, 0, 0]
  for (const { at, phase } of samples) {
    if (at < start || at > truth.end) continue
    if (isUncertain(truth, at, phase)) excluded += 1
    else if (seenAs(phase) === phaseAt(truth, at)) right += 1
    else wrong += 1
  }
  return { right, wrong, excluded, lags: lagsOf(truth, shown) }
}

/** While nobody can say whether a change has come, both what was and what will be may be shown, and nothing else. */
function isUncertain({ marks }: Timeline, at: number, phase: string | undefined): boolean {
  return marks.some(({ from, to, by, phase: next }, index) => {
    const was = marks[index - 1]?.phase
    if (was === undefined || at < Math.min(from, to - SLACK_MS) || at > to + SLACK_MS) return false
    return [was, next, by ?? next].includes(seenAs(phase) as TruePhase)
  })
}

function phaseAt({ marks }: Timeline, at: number): TruePhase | undefined {
  return marks.findLast(({ to }) => to <= at)?.phase
}

/** A session that starts waits for its first prompt: that is idle to everyone who looks. */
function seenAs(phase: string | undefined): string | undefined {
  return phase === 'starting' ? 'idle' : phase
}

/** From each change until gantry showed it; nothing where it already did. `shown` holds changes, oldest first. */
function lagsOf({ marks, end }: Timeline, shown: readonly Sample[]): Lag[] {
  const lags: Lag[] = []
  for (const [index, mark] of marks.entries()) {
    const was = marks[index - 1]?.phase
    if (was === undefined || was === mark.phase) continue
    const until = marks[index + 1]?.to ?? end
    const isIt = ({ phase }: Sample) => seenAs(phase) === mark.phase
    const then = shown.findLast(({ at }) => at <= mark.to)
    const already = then && isIt(then) ? then : undefined
    const first = already ?? shown.find((one) => one.at > mark.to && one.at <= until && isIt(one))
    const ms = already ? 0 : (first?.at ?? until) - mark.to
    const seen = first && first.at >= mark.from ? { shownAt: first.at } : {}
    lags.push({ phase: mark.phase, was, ms, trueAt: mark.to, ...seen, missed: first === undefined })
  }
  return lags
}
