/**
 * What was there before a tool call wrote to a file: looked at when the call is announced, right after its answer has left.
 * Only whether a file is there, and since when, is asked; nothing is opened. A file that is younger than the hook may be the
 * call's own work, or in place of an older one: then the agent's word counts.
 */
import { lstatSync, type Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type FileTouch, touchedFiles } from '../../agents/index.ts'
import { farLane } from '../../core/files/far-lane.ts'
import { LocalFolders } from '../../core/files/local-folders.ts'
import type { FileChange, HookEvent } from '../../events/index.ts'

const MAX_CALLS = 500 // announced, and not over yet
const WAIT_MS = 200

type Existed = ReadonlyMap<string, boolean>

/** A call that is over, and touched files. */
export interface Over {
  readonly key: string
  readonly touches: readonly FileTouch[]
}

export class Before {
  readonly #calls = new Map<string, Existed | Promise<Existed>>()
  readonly #local = new LocalFolders()

  /** When a call is announced. */
  look(event: HookEvent): void {
    const paths = touchedFiles(event).flatMap(({ path, how }) => (how === 'write' ? [path] : []))
    if (paths.length === 0) return
    const [oldest] = this.#calls.size >= MAX_CALLS ? this.#calls.keys() : []
    if (oldest !== undefined) this.#calls.delete(oldest)
    this.#calls.set(keyOf(event, paths), this.#stat(paths, event.at))
  }

  /** When it is over: what is needed to say later what it did. Nothing for a call that touches no file. */
  over(event: HookEvent): Over | undefined {
    const touches = touchedFiles(event)
    if (touches.length === 0) return undefined
    const written = touches.flatMap(({ path, how }) => (how === 'write' ? [path] : []))
    return { key: keyOf(event, written), touches }
  }

  async changes({ key, touches }: Over): Promise<FileChange[]> {
    const looked = this.#calls.get(key)
    this.#calls.delete(key)
    const existed = looked instanceof Promise ? await Promise.race([looked, Bun.sleep(WAIT_MS)]) : looked
    const changes = new Map(touches.map((touch) => [touch.path, changeOf(touch, existed?.get(touch.path))]))
    return [...changes].map(([path, change]) => ({ path, change }))
  }

  /** At once where that takes no time; so nearly always before the agent can have written. */
  #stat(paths: readonly string[], at: number): Existed | Promise<Existed> {
    if (paths.every((path) => this.#local.has(dirname(path)))) {
      const stat = (path: string) => lstatSync(path, { throwIfNoEntry: false })
      return existed(paths.map((path) => [path, wasThere(attempt(stat, path), at)]))
    }
    return this.#statLater(paths, at)
  }

  async #statLater(paths: readonly string[], at: number): Promise<Existed> {
    const stat = (path: string) => farLane.look(() => lstat(path).catch(codeOf))
    const looked = await Promise.all(
      paths.map(async (path) => [path, wasThere((await stat(path)) ?? 'EBUSY', at)] as const),
    )
    return existed(looked)
  }
}

function changeOf({ how, said }: FileTouch, existed: boolean | undefined): FileChange['change'] {
  if (how === 'delete') return 'deleted'
  if (how === 'edit') return 'modified'
  if (existed !== undefined) return existed ? 'modified' : 'created'
  return said ?? 'written'
}

/** By the agent's id of the call, or by what it is about to write where there is none. */
function keyOf({ agent, sessionId, agentId, tool }: HookEvent, paths: readonly string[]): string {
  return [agent, sessionId, agentId ?? '', tool?.useId ?? `${tool?.name} ${paths.join(' ')}`].join('\n')
}

type Look = Stats | string | undefined

/** Nothing where there is no telling. */
function wasThere(look: Look, at: number): boolean | undefined {
  if (look === undefined || look === 'ENOENT' || look === 'ENOTDIR') return false
  if (typeof look === 'string') return undefined
  const { birthtimeMs, mtimeMs } = look
  return (birthtimeMs > 0 ? birthtimeMs : mtimeMs) < at ? true : undefined
}

function existed(looked: readonly (readonly [string, boolean | undefined])[]): Existed {
  return new Map(looked.flatMap(([path, there]) => (there === undefined ? [] : [[path, there] as const])))
}

function attempt(stat: (path: string) => Stats | undefined, path: string): Look {
  try {
    return stat(path)
  } catch (error) {
    return codeOf(error)
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'EIO'
}
