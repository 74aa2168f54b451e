/**
 * Opens the HTTP server as configured, and writes the file with its address. HTTP is optional: without it hook clients
 * still have the socket.
 */
import { existsSync, rmSync } from 'node:fs'
import { messageOf } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { readOrMakeToken, writeAtomic } from '../core/files/private-files.ts'
import { lazy } from '../core/lazy.ts'
import type { Finding } from '../rpc/index.ts'
import type { HttpConfig } from './config.ts'
import { type HttpDoor, type HttpOptions, openHttp } from './http.ts'
import type { Page, PageParts } from './page/service.ts'

type HttpServices = Omit<HttpOptions, 'port' | 'token' | 'page'> & Omit<PageParts, 'places'>

const pages = lazy(() => import('./page/service.ts'))

export class HttpEntrance {
  readonly #places: Places
  readonly #services: HttpServices
  #door: HttpDoor | undefined
  #problem: Finding | undefined
  #page: Promise<Page> | undefined

  constructor(places: Places, services: HttpServices) {
    this.#places = places
    this.#services = services
  }

  get url(): string | undefined {
    return this.#door?.url
  }

  /** The page for browsers; the same for the whole life of the daemon. */
  page(): Promise<Page> {
    this.#page ??= pages()
      .then(({ Page }) => new Page({ ...this.#services, places: this.#places }))
      .catch((error) => {
        this.#page = undefined // the next request tries again
        throw error
      })
    return this.#page
  }

  findings(): Finding[] {
    return this.#problem ? [this.#problem] : []
  }

  open({ enabled, port }: HttpConfig): void {
    rmSync(this.#places.http, { force: true })
    this.#problem = undefined
    if (!enabled) return
    try {
      const token = readOrMakeToken(this.#places.token)
      this.#door = openHttp({ port, token, page: () => this.page(), ...this.#services })
      this.writeFile()
      if (port !== 0 && this.#door.port !== port)
        this.#problem = {
          level: 'warn',
          about: 'http',
          message: `port ${port} is taken, so HTTP listens on ${this.#door.port}`,
          fix: 'Free it and restart gantry, or set another http.port in gantry.toml.',
        }
    } catch (error) {
      const message = `HTTP cannot listen: ${messageOf(error)}`
      this.#services.log.error('http', message)
      this.#problem = {
        level: 'fail',
        about: 'http',
        message,
        fix: 'Set another http.port in gantry.toml.',
      }
    }
  }

  /** Writes the file, and the token if it was removed: agents' settings contain this token. */
  writeFile(): void {
    if (!this.#door) return
    const { url, port, token } = this.#door
    if (!existsSync(this.#places.token)) writeAtomic(this.#places.token, `${token}\n`)
    const told = { url, host: '127.0.0.1', port, pid: process.pid }
    writeAtomic(this.#places.http, `${JSON.stringify(told)}\n`)
  }

  async close(): Promise<void> {
    await this.#door?.stop()
    this.#door = undefined
  }
}
