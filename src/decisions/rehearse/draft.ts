/**
 * Rules and guards as they might be, asked about events of the past. The daemon's own code judges; nothing is counted, logged
 * or stored. What was true then and is not in the journal is unknown: see `unknown`.
 *
 *   const draft = new Draft({ rules, guards: { preset: 'strict', … }, places, home })
 *   await draft.look(event)
 *   draft.judge(event)   // { verdict, matched: [Rule], unknown?: 'its folder is gone, …' }
 */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { factsOf } from '../../agents/facts.ts'
import { shellLine } from '../../agents/index.ts'
import { LocalFolders } from '../../core/files/local-folders.ts'
import type { Places } from '../../core/files/paths.ts'
import { type HookEvent, UNREADABLE, type Verdict } from '../../events/index.ts'
import { Git } from '../../git/index.ts'
import { MARK } from '../../redaction/redact.ts'
import type { GuardSettings } from '../guards/config.ts'
import { Guards } from '../guards/service.ts'
import { type Judges, judge } from '../judge.ts'
import { Policy, type Rule, type World } from '../rules/index.ts'
import { type FactName, factWords, worldOf } from '../rules/world.ts'
import { ToolCalls } from '../tool-calls.ts'

export interface DraftParts {
  readonly rules: readonly Rule[]
  /** Trusted rules of projects, by their folder. */
  readonly projects?: ReadonlyMap<string, readonly Rule[]>
  readonly guards: GuardSettings
  readonly places: Pick<Places, 'config' | 'state' | 'run'>
  readonly home: string
}

export interface Judged {
  readonly verdict: Verdict
  /** The rules that matched and spoke, in order. */
  readonly matched: readonly Rule[]
  /** Why the verdict of that time cannot be told. */
  readonly unknown?: string
}

/** A repository, or none; `isGone` where the folder is not there any more, so that nobody can tell. */
interface Folder {
  readonly root?: string
  readonly isGone: boolean
}

const REDACTED = 'a secret in it was redacted before it was stored'
const GONE = 'its folder is gone, and with it what belonged to its project'

export class Draft {
  /** The owner's in order, then those of projects. */
  readonly rules: readonly Rule[]
  readonly hasGuards: boolean
  readonly #hasProjects: boolean
  /** For folders that are there, and those that are gone with the smallest project that it may have been. */
  readonly judges: Judges & { readonly guards: Guards }
  /** With the largest. */
  readonly #widely: Judges
  readonly #folders = new Map<string, Folder>()
  readonly #local = new LocalFolders()
  readonly #git: Git
  readonly #home: string
  #asksGone = false
  /** Facts that a rule asked for, and that nobody wrote down. */
  #missing: FactName | '' = ''

  constructor({ rules, projects = new Map(), guards: settings, places, home }: DraftParts) {
    const judgesOf = (rootOf: (folder: string) => string | undefined) => {
      const calls = new ToolCalls({ home, rootOf })
      const guards = new Guards({
        settings: () => settings,
        places,
        home,
        calls,
        count() {},
        log: { info() {} },
      })
      const policy = new Policy(rules, this.#worldOf(calls))
      policy.replaceProjects(projects)
      return { policy, guards }
    }
    this.judges = judgesOf((folder) => this.#rootOf(folder))
    this.#widely = judgesOf((folder) => this.#folders.get(folder)?.root ?? widest(folder, home))
    this.rules = [...this.judges.policy.rules, ...[...projects.values()].flat()]
    this.#hasProjects = projects.size > 0
    this.hasGuards = settings.preset !== 'off' || Object.values(settings.modes).some((mode) => mode !== 'off')
    this.#git = new Git({ env: {}, places: { home, xdg: undefined }, asksGit: () => false })
    this.#home = home
  }

  /** The types of events that it may answer; nothing where it may answer all. */
  get types(): readonly string[] | undefined {
    const types = new Set(this.rules.flatMap((rule) => [...rule.types]))
    if (types.has('*')) return undefined
    if (this.hasGuards) for (const type of GUARDED) types.add(type)
    return [...types, UNREADABLE]
  }

  /** Finds the repositories around an event. Call it before `judge`. */
  look(event: HookEvent): Promise<void> | undefined {
    if (!event.tool && !this.#hasProjects) return undefined
    const fresh = foldersOf(event, this.#home).filter((folder) => !this.#folders.has(folder))
    return fresh.length === 0 ? undefined : this.#look(fresh)
  }

  judge(event: HookEvent): Judged {
    const matched: Rule[] = []
    let missing: FactName | undefined
    this.#asksGone = false
    this.#missing = ''
    const { verdict } = judge(this.judges, event, event.receivedAt, (rule, judgement, _, spoke) => {
      if (judgement === 'yes' && spoke) matched.push(rule)
      else if (judgement !== 'yes' && judgement !== 'no' && this.#missing !== '') missing ??= this.#missing
      this.#missing = ''
    })
    const last = this.#missing as FactName | ''
    if (last === 'turn' && matched.some(({ once }) => once === 'turn')) missing ??= 'turn'
    const unknown =
      missing !== undefined
        ? `the journal does not say ${factWords(missing)}`
        : isRedacted(event)
          ? REDACTED
          : this.#asksGone
            ? this.#doubt(event, verdict)
            : undefined
    return unknown === undefined ? { verdict, matched } : { verdict, matched, unknown }
  }

  rootOf(folder: string): string | undefined {
    return this.#folders.get(folder)?.root
  }

  close(): void {
    this.#git.close()
  }

  /** Guards are asked with the smallest and the largest project that it may have been: where they agree, it does not matter. */
  #doubt(event: HookEvent, narrow: Verdict): string | undefined {
    const wide = judge(this.#widely, event, event.receivedAt).verdict
    return narrow.decision === wide.decision && narrow.by === wide.by ? undefined : GONE
  }

  /** What the event itself says. Phase, branch, cost and the like were never written down beside it. */
  #worldOf(calls: ToolCalls): World {
    const world = worldOf({ calls, host: hostname })
    return {
      call: (event) => world.call(event),
      rootsOf: (folder) => this.#git.rootsOf(folder),
      fact: (event, name) => {
        const fact = world.fact(event, name)
        if (fact === undefined) this.#missing = name
        return fact
      },
    }
  }

  #rootOf(folder: string): string | undefined {
    const known = this.#folders.get(folder)
    if (known?.isGone) this.#asksGone = true
    return known?.root
  }

  async #look(folders: readonly string[]): Promise<void> {
    await this.#git.see(folders)
    for (const folder of folders) {
      const { root } = this.#git.locationOf(folder)
      const isGone = root === undefined && !(this.#local.has(folder) && existsSync(folder))
      this.#folders.set(folder, { isGone, ...(root === undefined ? {} : { root }) })
    }
  }
}

const GUARDED = ['PreToolUse', 'PermissionRequest']

function foldersOf(event: HookEvent, home: string): string[] {
  const { projectVariable } = factsOf(event.agent)
  const project = projectVariable === undefined ? undefined : event.client.env[projectVariable]
  const named = event.tool && shellLine(event.tool)?.folder
  return [named, event.cwd, project, home].filter((folder) => folder?.startsWith('/')) as string[]
}

/** The outermost folder around this one that could be a project. */
function widest(folder: string, home: string): string {
  let found = folder
  for (let at = folder; at !== '/' && at !== home && dirname(at) !== '/'; at = dirname(at)) found = at
  return found
}

function isRedacted({ raw }: HookEvent): boolean {
  return typeof raw === 'string' ? raw.includes(MARK) : Buffer.from(raw).includes(MARK)
}
