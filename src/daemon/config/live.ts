/**
 * The configuration in force. An invalid file leaves the last good one in force, also over a restart, and is reported. A
 * changed file is read again once its editor has finished writing.
 */
import { basename } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import { keepLastGood, readLastGood } from '../../core/files/last-good.ts'
import type { Places } from '../../core/files/paths.ts'
import { type Watching, watchPath } from '../../core/files/watch-files.ts'
import type { Log } from '../../core/log.ts'
import { type Debounced, debounce } from '../../core/time/debounce.ts'
import { type Config, loadConfig, readConfig } from './config.ts'
import { DEFAULT_CONFIG } from './defaults.ts'

export class LiveConfig {
  readonly #places: Places
  #now: Config = DEFAULT_CONFIG
  #text: string | undefined
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
    return this.#text ?? ''
  }

  /** What is wrong with the file while the previous one is in force. */
  get problem(): string | undefined {
    return this.#problem
  }

  async load(): Promise<void> {
    const { configFile, lastConfig } = this.#places
    try {
      const { config, text } = await loadConfig(configFile)
      this.#now = config
      this.#text = text
      this.#problem = undefined
      keepLastGood(lastConfig, text)
    } catch (error) {
      this.#problem = messageOf(error)
      if (this.#text === undefined) await this.#recall()
    }
  }

  /** At a start with an invalid file. */
  async #recall(): Promise<void> {
    const text = readLastGood(this.#places.lastConfig)
    if (text === undefined) return
    try {
      this.#now = await readConfig(text, this.#places.lastConfig)
      this.#text = text
    } catch {
      // of another version
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
