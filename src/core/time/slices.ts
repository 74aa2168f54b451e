/**
 * Splits long work on the event loop that hooks wait for: after a few milliseconds of work it pauses for as long.
 *
 *   for (const file of files) {
 *     look(file)
 *     await slices.breathe()
 *   }
 */
const SLICE_MS = 4 // a hook that arrives meanwhile waits no longer than for a commit

export class Slices {
  #began = performance.now()
  /** False while no hook can be waiting: before the socket is open. */
  readonly #rests: boolean

  constructor(rests: boolean) {
    this.#rests = rests
  }

  get isOver(): boolean {
    return performance.now() - this.#began >= SLICE_MS
  }

  async breathe(): Promise<void> {
    if (this.isOver) await this.rest()
  }

  /** Gives up at least one whole turn of the event loop: what arrived is read and answered. */
  async rest(): Promise<void> {
    const worked = performance.now() - this.#began
    await new Promise(setImmediate)
    if (this.#rests && worked >= SLICE_MS) await Bun.sleep(Math.min(worked, 2 * SLICE_MS))
    this.#began = performance.now()
  }
}
