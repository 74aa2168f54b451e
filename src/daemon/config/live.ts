/**
 * The configuration in force. An invalid file leaves the last good one in force and is reported. A changed file is read
 * again once its editor has finished writing.
 */
import { basename } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { type Watching, watchPath } from '../../core/files/watch-files.ts'
import type { Log } from '../../core/log.ts'
import { type Debounced, debounce } from '../../core/time/debounce.ts'
import { type Config, loadConfig } from './config.ts'
import { DEFAULT_CONFIG } from './defaults.ts'

export class LiveConfig {
  readonly #places: Places
  #now: Config = DEFAULT_CONFIG
  #text = ''
  #problem: string | undefined
  #watch: Watching | undefined
  #change: Debounced | undefined

  constructor(places: Places) {
    this.#places = places
  }

  get now(): Config {
    return this.#now
  }

  /** The last valid text of the file. */
  get text(): string {
    return this.#text
  }

  /** What is wrong with the file while the previous one is in force. */
  get problem(): string | undefined {
    return this.#problem
  }

  async load(): Promise<void> {
    try {
      const { config, text } = await loadConfig(this.#places.configFile)
      this.#now = config
      this.#text = text
      this.#problem = undefined
    } catch (error) {
      this.#problem = messageOf(error)
    }
  }

  /** Calls `apply` with the previous configuration on every change. */
  watch(apply: (before: Config) => Promise<void>, log: Log): void {
    const reload = async () => {
      const before = this.#now
      await this.load()
      if (this.#problem) log.error('config', `${this.#problem}; the last good configuration stays`)
      else log.info('config', 'reloaded')
      if (this.#now !== before) await apply(before)
    }
    const change = debounce(reload, (error) => log.error('config', `cannot be applied: ${messageOf(error)}`))
    this.#change = change
    this.#watch = watchPath(this.#places.config, (_kind, name) => {
      if (name === null || name === basename(this.#places.configFile)) change.soon()
    })
  }

  close(): void {
    this.#watch?.close()
    this.#change?.close()
  }
}
