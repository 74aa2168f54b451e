/**
 * What an event's tool call does to commands, files and hosts: the same for the shell tools and the file tools of all agents.
 * It is read once per event, when a rule or a guard first needs it; the parser is loaded then.
 *
 *   new ToolCalls({ home, rootOf }).of(event)?.effects.writes
 */
import { resolve } from 'node:path'
import { factsOf } from '../agents/facts.ts'
import {
  isMcpTool,
  MAX_TOUCHED_FILES,
  readFiles,
  type ShellLine,
  shellLine,
  touchedFiles,
  writtenText,
} from '../agents/index.ts'
import { LocalFolders } from '../core/files/local-folders.ts'
import { throughProc } from '../core/files/through-proc.ts'
import { lazy } from '../core/lazy.ts'
import type { HookEvent, HookTool } from '../events/index.ts'
import type { Effects, FileEffect, ScriptContext } from '../shell/index.ts'

const shell = lazy(() => require('../shell/index.ts') as typeof import('../shell/index.ts'))
/** For tools that run no command, without the parser. */
const united = lazy(() => require('../shell/united.ts') as typeof import('../shell/united.ts'))

export interface ToolCall {
  /** The command line; empty for a file tool. */
  readonly source: string
  readonly effects: Effects
  readonly place: ScriptContext
  /** What a file tool is about to write. */
  readonly content: string
}

interface ToolCallParts {
  readonly home: string
  /** The repository around a folder, as it was seen last. */
  readonly rootOf: (folder: string) => string | undefined
  /** Resolves symbolic links; default: on local disks only. */
  readonly realpath?: (path: string) => string
}

const UNREAD = 'it is written for a shell that gantry does not read'
const TOO_MANY = { understood: false, why: 'it names more files than are looked at', isTooMuch: true }

export class ToolCalls {
  readonly #parts: ToolCallParts
  readonly #folders = new LocalFolders()
  readonly #known = new WeakMap<HookTool, { readonly call: ToolCall | undefined }>()

  constructor(parts: ToolCallParts) {
    this.#parts = parts
  }

  /** Undefined if the tool neither runs a command line nor touches files. */
  of(event: HookEvent): ToolCall | undefined {
    const { tool } = event
    if (tool === undefined) return undefined
    const known = this.#known.get(tool)
    if (known) return known.call
    const call = this.#read(event, tool)
    this.#known.set(tool, { call })
    return call
  }

  #read(event: HookEvent, tool: HookTool): ToolCall | undefined {
    const line = shellLine(tool)
    const place = this.#placeOf(event, line?.folder)
    const source = line?.line ?? ''
    const ofLine = line && this.#effectsOf(line, place)
    // A tool of a server may do without the command, and use the path.
    if (ofLine && !isMcpTool(tool.name)) return { source, effects: ofLine, place, content: '' }
    const touched = touchedFiles({ ...event, cwd: place.cwd })
    const effect = (given: string): FileEffect => {
      // Servers and some agents take `~` for the home, and nobody has a folder of this name.
      const isOfHome = given.startsWith(`${place.cwd}/~/`)
      const path = throughProc(isOfHome ? place.home + given.slice(place.cwd.length + 2) : given, place.cwd)
      const real = place.realpath?.(path) ?? path
      return { path: real, base: real, text: path, known: true, recursive: false, command: -1 }
    }
    const reads = readFiles(tool, place.cwd).map(({ path, recursive, namesOnly }) => ({
      ...effect(path),
      recursive,
      known: !/[*?[{]/.test(path),
      ...(namesOnly && { namesOnly: true as const }),
    }))
    if (touched.length === 0 && reads.length === 0)
      return ofLine && { source, effects: ofLine, place, content: '' }
    const writes = touched.filter(({ how }) => how !== 'delete').map(({ path }) => effect(path))
    const deletes = touched.filter(({ how }) => how === 'delete').map(({ path }) => effect(path))
    const content = writes.length > 0 ? writtenText(tool) : ''
    const cut = touched.length < MAX_TOUCHED_FILES ? {} : TOO_MANY
    const ofFiles = { ...united().NO_EFFECTS, ...cut, reads, writes, deletes }
    const effects = ofLine ? united().unitedEffects([ofLine, ofFiles]) : ofFiles
    return { source, effects, place, content }
  }

  #effectsOf({ lines, isSh }: ShellLine, place: ScriptContext): Effects {
    if (!isSh) return { ...united().NO_EFFECTS, understood: false, why: UNREAD }
    const { effectsOf, parseScript } = shell()
    return united().unitedEffects(
      lines.map((one) => effectsOf(parseScript(one), place)),
      lines,
    )
  }

  /** Without links, as far as it is on a local disk. */
  real(path: string): string {
    return this.#parts.realpath?.(path) ?? this.#folders.real(path) ?? path
  }

  /**
   * Effects have their links resolved, so what they are compared with has, too. The folder that a tool names is where its
   * command runs; the project stays that of the session.
   */
  #placeOf(event: HookEvent, folder: string | undefined): ScriptContext {
    const { home, rootOf } = this.#parts
    const { projectVariable } = factsOf(event.agent)
    const project = projectVariable === undefined ? undefined : event.client.env[projectVariable]
    const start = event.cwd ?? project ?? home
    const cwd = folder === undefined ? start : resolve(start, folder)
    const isOfProject = project !== undefined && `${start}/`.startsWith(`${project}/`)
    const worktree =
      rootOf(start) ??
      (isOfProject ? (rootOf(project) ?? project) : undefined) ??
      (cwd === start ? undefined : start)
    return {
      cwd: this.real(cwd),
      home: this.real(home),
      ...(worktree === undefined ? {} : { worktree: this.real(worktree) }),
      realpath: (path) => this.real(path),
    }
  }
}
