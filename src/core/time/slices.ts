/**
 * Long work in short pieces on the loop that hooks wait for: after a few milliseconds of it, as long a rest.
 *
 *   for (const file of files) {
 *     look(file)
 *     await slices.breathe()
 *   }
 */
const SLICE_MS = 4 // a hook that comes meanwhile waits no longer than for a commit

export class Slices {
  #began = performance.now()
  /** False while nobody can wait for it: before the door is open. */
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

  /** One whole turn of the loop at least: what arrived is read and answered. */
  async rest(): Promise<void> {
    const worked = performance.now() - this.#began
    await new Promise(setImmediate)
    if (this.#rests && worked >= SLICE_MS) await Bun.sleep(Math.min(worked, 2 * SLICE_MS))
    this.#began = performance.now()
  }
}
