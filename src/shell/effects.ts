/** What the commands of a script do to files and hosts, seen from the place where it would run. */
import type { Command, Redirect, Script } from './command.ts'
import { Paths, type ResolvedPath, type ScriptContext } from './paths.ts'
import { linksMadeBy, programEffects, type Sink } from './program-effects.ts'
import type { Role } from './programs.ts'

export interface FileEffect {
  /** Absolute; `~`, `..` and symbolic links resolved. Where it is not known: the best reading, globs and unknown parts as written. */
  readonly path: string
  /** The part of `path` that is certain: the path itself, or the folder before a glob. */
  readonly base?: string
  /** The word as the command has it. */
  readonly text: string
  readonly known: boolean
  readonly recursive: boolean
  /** Names are listed, and nothing of what is in the files: a tool that looks through a folder. */
  readonly namesOnly?: true
  /** Index in `commands`. */
  readonly command: number
}

export interface NetworkEffect {
  readonly host?: string
  /** Whether it can send data away: an upload, a request body, a copy to a host, a connection in both directions. */
  readonly sends: boolean
  readonly command: number
}

export interface Effects {
  readonly understood: boolean
  readonly why?: string
  readonly isTooMuch?: boolean
  readonly commands: readonly Command[]
  readonly reads: readonly FileEffect[]
  readonly writes: readonly FileEffect[]
  readonly deletes: readonly FileEffect[]
  readonly network: readonly NetworkEffect[]
}

export function effectsOf(script: Script, place: ScriptContext): Effects {
  const paths = new Paths(place)
  const files: Record<Role, FileEffect[]> = { reads: [], writes: [], deletes: [] }
  const network: NetworkEffect[] = []
  for (const [index, command] of script.commands.entries()) {
    let folder: ResolvedPath | undefined
    const sink: Sink = {
      file(role, word, recursive = false) {
        if (command.isRemote || word.text === '' || NO_FILE.test(word.text)) return
        folder ??= paths.folder(command.cwd)
        const { path, base, known } = paths.resolve(word, folder, role === 'deletes')
        const { text } = word
        files[role].push(
          base === undefined
            ? { path, text, known, recursive, command: index }
            : { path, base, text, known, recursive, command: index },
        )
      },
      network(host, sends) {
        network.push({ ...(host !== undefined && { host }), sends, command: index })
      },
    }
    for (const redirect of command.redirects) redirectEffects(redirect, sink)
    programEffects(command, sink)
    for (const [name, target] of linksMadeBy(command)) {
      if (command.isRemote) break
      folder ??= paths.folder(command.cwd)
      const to = paths.resolve(target, folder)
      const from = paths.resolve(name, folder, true)
      if (to.path.startsWith('/') && from.path.startsWith('/')) paths.link(from.path, to.path)
    }
  }
  return { ...script, ...files, network }
}

/** Streams that every process has. */
const NO_FILE = /^(?:\/dev\/(?:null|stdin|stdout|stderr|tty|zero|u?random|fd\/\d+)|[<>]\([\s\S]*|-)$/

function redirectEffects({ operator, target }: Redirect, to: Sink): void {
  if (operator === '<<' || operator === '<<<') return
  const host = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(target.text)?.[1]
  if (host) to.network(host, true)
  else if (operator === '<') to.file('reads', target)
  else if (!(operator.endsWith('&') && /^(\d+|-)-?$/.test(target.text))) to.file('writes', target)
}
