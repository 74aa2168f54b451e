/**
 * Whether a file existed before a tool call wrote to it. Checked when the call is announced, right after its answer was
 * sent, with one stat and without opening the file. A file younger than the hook may already be the call's own work, or
 * replace an older one; then the agent's word counts.
 */
import { lstatSync, type Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type FileTouch, touchedFiles } from '../../agents/index.ts'
import { BoundedMap } from '../../core/bounded-map.ts'
import { farLane } from '../../core/files/far-reads.ts'
import { LocalFolders } from '../../core/files/local-folders.ts'
import { within } from '../../core/time/waits.ts'
import type { FileChange, HookEvent } from '../../events/index.ts'

const MAX_CALLS = 500 // announced and not finished
const WAIT_MS = 200

type Existed = ReadonlyMap<string, boolean>

/** A finished call that touched files. */
export interface FinishedCall {
  readonly key: string
  readonly touches: readonly FileTouch[]
}

export class FileSnapshots {
  readonly #calls = new BoundedMap<string, Existed | Promise<Existed>>(MAX_CALLS)
  readonly #local = new LocalFolders()

  /** Call when a tool call is announced. */
  look(event: HookEvent): void {
    const paths = touchedFiles(event).flatMap(({ path, how }) => (how === 'write' ? [path] : []))
    if (paths.length === 0) return
    this.#calls.set(keyOf(event, paths), this.#stat(paths, event.at))
  }

  /**
   * Call when a tool call is finished: returns the facts needed to tell later what it did. Undefined if it touches no
   * file.
   */
  finish(event: HookEvent): FinishedCall | undefined {
    const touches = touchedFiles(event)
    if (touches.length === 0) return undefined
    const written = touches.flatMap(({ path, how }) => (how === 'write' ? [path] : []))
    return { key: keyOf(event, written), touches }
  }

  async changes({ key, touches }: FinishedCall): Promise<FileChange[]> {
    const looked = this.#calls.get(key)
    this.#calls.delete(key)
    const existed = looked instanceof Promise ? await within(looked, WAIT_MS) : looked
    const changes = new Map(touches.map((touch) => [touch.path, changeOf(touch, existed?.get(touch.path))]))
    return [...changes].map(([path, change]) => ({ path, change }))
  }

  /** Synchronous on fast disks, so nearly always before the agent can have written. */
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

/** Key: the agent's id of the call; without one, the tool and its paths. */
function keyOf({ agent, sessionId, agentId, tool }: HookEvent, paths: readonly string[]): string {
  return [agent, sessionId, agentId ?? '', tool?.useId ?? `${tool?.name} ${paths.join(' ')}`].join('\n')
}

type Look = Stats | string | undefined

/** Undefined if it cannot be known. */
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
