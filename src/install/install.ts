/**
 * Plans the wiring of one agent: the new settings file, and the receipt to undo it.
 *
 *   const plan = planInstall(found, { places, env, asked: {} })
 *   if (plan.kind === 'change') applyInstall(places, plan.change)
 */
import { join } from 'node:path'
import {
  type Entry,
  type Env,
  formsOf,
  type HookClient,
  isAtLeast,
  type Wiring,
  type Written,
} from '../agents/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { VERSION } from '../core/version.ts'
import { type InstallChange, isSameContent } from './change.ts'
import { type ChangedEntry, judgeChanged } from './changed-entries.ts'
import { checkTaken, parseDoc } from './edit/json-doc.ts'
import { startsClient } from './edit/pointers.ts'
import { decode, isEmptySettings, recognised, settingsIn } from './edit/settings-text.ts'
import { type FileNow, readToCompare } from './files.ts'
import type { FoundAgent } from './find.ts'
import { installedClient } from './hook-client.ts'
import { type Ours, planEntries, planRemoval } from './plan.ts'
import { type Receipt, readBackup, readReceipts, receiptPath, sha256 } from './receipt.ts'

/** The user's choices; omitted ones stay as at the last install. */
export interface Asked {
  readonly with?: ReadonlyMap<string, string | undefined>
  readonly statusLine?: boolean
}

interface InstallInput {
  readonly places: Places
  readonly env: Env
  readonly asked: Asked
}

export type InstallPlan = {
  readonly agent: FoundAgent
  readonly file: string
  readonly events: readonly string[]
  /** What a person should know beyond the diff. */
  readonly notes: readonly string[]
  /** Entries that already start the hook client but were changed by their owner. */
  readonly yours: readonly ChangedEntry[]
} & ({ readonly kind: 'wired' } | { readonly kind: 'change'; readonly change: InstallChange })

type Wanted = Exclude<Wiring, { kind: 'refused' }>

export function planInstall(agent: FoundAgent, { places, env, asked }: InstallInput): InstallPlan {
  const client = installedClient(places, env)
  const stored = readReceipts(places, agent.id)
  const settled = settle(
    asked,
    stored.find(({ receipt }) => receipt.file.startsWith(`${agent.folder}/`))?.receipt,
  )
  const wiring = agent.settings.wiring({ version: agent.version, client, ...settled })
  if (wiring.kind === 'refused') throw new GantryError('BAD_CONFIG', wiring.why)

  const former = formsOf(client).flatMap((form) => {
    const made = agent.settings.wiring({ version: agent.version, client: form, ...settled })
    return made.kind === 'merge' ? made.entries : []
  })
  const path = join(agent.folder, wiring.file)
  const { locked, ...file } = readToCompare(path)
  const before = stored.find(({ receipt }) => receipt.file === path)
  const next =
    wiring.kind === 'own'
      ? planOwn(file, wiring, before?.receipt)
      : planMerge(file, wiring, { agent, client, env, former }, before?.receipt)
  const known = before?.receipt.states.find((one) => file.bytes && one.sha256 === sha256(file.bytes))
  const base =
    known || wiring.kind === 'own' ? originalOf(before?.receipt, next.withoutOurs, places) : next.withoutOurs
  const state = {
    sha256: sha256(next.after),
    entries: [...next.ours.entries] as Receipt['states'][number]['entries'],
  }

  const about = {
    agent,
    file: path,
    events: wiring.events,
    notes: [...notesOn(agent, client), ...next.notes],
    yours: next.yours,
  }
  const request: Receipt['asked'] = {
    with: [...settled.with].map(([event, matcher]) => [event, matcher ?? null]),
    statusLine: settled.statusLine,
  }
  const last = before && { entries: before.receipt.states.at(-1)?.entries, asked: before.receipt.asked }
  const isWired =
    isSameContent(file.bytes, next.after) &&
    !before?.receipt.removed &&
    Bun.deepEquals(last, { entries: state.entries, asked: request }, true)
  if (isWired) return { ...about, kind: 'wired' }
  if (locked) throw locked
  return {
    ...about,
    kind: 'change',
    change: {
      agent: agent.id,
      file,
      after: next.after,
      base,
      receiptPath: before?.path ?? receiptPath(places, agent.id, path, agent.isUsualFolder),
      folders: before?.receipt.folders ?? [],
      keep: wiring.kind === 'own' && before !== undefined && file.bytes !== undefined && !known,
      receipt: {
        v: 1,
        agent: agent.id,
        file: path,
        at: Date.now(),
        gantry: VERSION,
        agentVersion: agent.version ?? null,
        kind: wiring.kind,
        asked: request,
        states: [...(known ? [known] : statesBefore(file, next.found)), state],
        containers: next.ours.containers.map((one) => [...one]),
      },
    },
  }
}

interface Next {
  readonly after: Buffer
  readonly ours: Ours
  /** Our entries in the file before the change. */
  readonly found: Ours
  /** The current file without our entries; undefined if nothing is left. */
  readonly withoutOurs: Buffer | undefined
  readonly notes: readonly string[]
  readonly yours: readonly ChangedEntry[]
}

interface MergeInput {
  readonly agent: FoundAgent
  readonly client: HookClient
  readonly env: Env
  /** Entries that this gantry and the first release write. */
  readonly former: readonly Entry[]
}

function planMerge(
  file: FileNow,
  wiring: Extract<Wanted, { kind: 'merge' }>,
  { agent, client, env, former }: MergeInput,
  receipt: Receipt | undefined,
): Next {
  const text = file.bytes === undefined ? '' : decode(file.bytes, file.path)
  checkTaken(parseDoc(text, file.path), agent.settings)
  const seen = recognised(text, file.path, agent.settings, client)
  const found = receipt ? withFormer(oursOf(receipt), seen, former) : seen
  const plan = planEntries(text, file.path, wiring.entries, found, (part) => startsClient(part, client, env))
  const left = planRemoval(text, file.path, found)
  const isNothing = file.bytes === undefined || (receipt?.base === null && isEmptySettings(left))
  return {
    after: Buffer.from(plan.text),
    ours: plan,
    found,
    withoutOurs: isNothing ? undefined : Buffer.from(left),
    notes: plan.notes,
    yours: judgeChanged(settingsIn(plan.text, file.path), plan.yours, { agent: agent.id, client, env }),
  }
}

/**
 * A receipt does not know entries that came into the file another way, such as from a copy made before an upgrade.
 * Entries that are exactly what gantry writes, or wrote, are ours, too.
 */
function withFormer(ours: Ours, seen: Ours, former: readonly Entry[]): Ours {
  const isFormer = ({ kind, path, value }: Written) =>
    kind === 'set' || former.some((one) => Bun.deepEquals(one, { kind, path, value }, true))
  return { ...ours, entries: [...ours.entries, ...seen.entries.filter(isFormer)] }
}

function planOwn(
  file: FileNow,
  wiring: Extract<Wanted, { kind: 'own' }>,
  receipt: Receipt | undefined,
): Next {
  const nothing: Ours = { entries: [], containers: [] }
  const isOurs = receipt !== undefined || (file.bytes !== undefined && wiring.isOurs(file.bytes.toString()))
  return {
    after: Buffer.from(wiring.text),
    ours: nothing,
    found: nothing,
    withoutOurs: isOurs ? undefined : file.bytes,
    notes: [],
    yours: [],
  }
}

/** Everything of ours that any known state of the file may contain. */
export function oursOf(receipt: Receipt): Ours {
  const entries = receipt.states.toReversed().flatMap((state) => state.entries)
  const unique = new Map(entries.map((entry) => [JSON.stringify(entry), entry]))
  return { entries: [...unique.values()], containers: receipt.containers }
}

/** Uninstall restores the first original as long as nobody else has changed the file. */
function originalOf(
  receipt: Receipt | undefined,
  withoutOurs: Buffer | undefined,
  places: Places,
): Buffer | undefined {
  if (!receipt) return withoutOurs
  return receipt.base === null ? undefined : (readBackup(places, receipt.base) ?? withoutOurs)
}

/** The file before this change, which uninstall would restore to the same original. */
function statesBefore({ bytes }: FileNow, { entries }: Ours): Receipt['states'] {
  if (bytes === undefined || entries.length === 0) return []
  return [{ sha256: sha256(bytes), entries: [...entries] as Receipt['states'][number]['entries'] }]
}

function settle(asked: Asked, receipt: Receipt | undefined): Required<Asked> {
  const before = new Map(receipt?.asked.with.map(([event, matcher]) => [event, matcher ?? undefined]))
  return { with: asked.with ?? before, statusLine: asked.statusLine ?? receipt?.asked.statusLine ?? true }
}

function notesOn({ settings, version, programs }: FoundAgent, client: HookClient): string[] {
  const [oldest] = settings.versions
  const isOlder = version !== undefined && !isAtLeast(version, oldest)
  if (isOlder && settings.older) return [settings.older(client)]
  const several = new Set(programs.map((program) => program.version)).size > 1
  if (version === undefined) return [`Its version is unknown, so it is wired as ${oldest}, the oldest known.`]
  if (several) return [`PATH has several versions; it is wired for the oldest, ${version}.`]
  return []
}
