/**
 * What was there before a tool call wrote to a file: looked at when the call is announced, right after its answer has left.
 * Only whether a file is there, and since when, is asked; nothing is opened. A file that is younger than the hook may be the
 * call's own work, or in place of an older one: then the agent's word counts.
 */
import { lstat } from 'node:fs/promises'
import { type FileTouch, touchedFiles } from '../../agents/index.ts'
import type { FileChange, HookEvent } from '../../events/index.ts'

const MAX_CALLS = 500 // announced, and not over yet
const MAX_LOOKING = 64 // a file system that hangs must not take all of the daemon's threads
const WAIT_MS = 200

type Existed = ReadonlyMap<string, boolean>

export class Before {
  readonly #calls = new Map<string, Promise<Existed>>()
  #looking = 0

  /** When a call is announced. */
  look(event: HookEvent): void {
    const paths = touchedFiles(event).flatMap(({ path, how }) => (how === 'write' ? [path] : []))
    if (paths.length === 0 || this.#looking + paths.length > MAX_LOOKING) return
    const [oldest] = this.#calls.size >= MAX_CALLS ? this.#calls.keys() : []
    if (oldest !== undefined) this.#calls.delete(oldest)
    this.#calls.set(keyOf(event, paths), this.#stat(paths, event.at))
  }

  /** When it is over: what it did to files. */
  async changes(event: HookEvent): Promise<FileChange[]> {
    const touches = touchedFiles(event)
    if (touches.length === 0) return []
    const key = keyOf(
      event,
      touches.flatMap(({ path, how }) => (how === 'write' ? [path] : [])),
    )
    const looked = this.#calls.get(key)
    this.#calls.delete(key)
    const existed = looked && (await Promise.race([looked, Bun.sleep(WAIT_MS)]))
    const changes = new Map(touches.map((touch) => [touch.path, changeOf(touch, existed?.get(touch.path))]))
    return [...changes].map(([path, change]) => ({ path, change }))
  }

  async #stat(paths: readonly string[], at: number): Promise<Existed> {
    this.#looking += paths.length
    const looked = await Promise.all(paths.map(async (path) => [path, await wasThere(path, at)] as const))
    this.#looking -= paths.length
    return new Map(looked.flatMap(([path, there]) => (there === undefined ? [] : [[path, there] as const])))
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

/** Nothing where there is no telling. */
async function wasThere(path: string, at: number): Promise<boolean | undefined> {
  try {
    const { birthtimeMs, mtimeMs } = await lstat(path)
    return (birthtimeMs > 0 ? birthtimeMs : mtimeMs) < at ? true : undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? false : undefined
  }
}
