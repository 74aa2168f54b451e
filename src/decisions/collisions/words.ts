/** What agents and people are told about collisions. Names and paths come from others: each is one line without control characters. */
import { age } from '../../core/text/amount.ts'
import { clean, counted } from '../../core/text/text.ts'

/** `file`: both write the same file now. `repository`: both write a copy of it, in another worktree, clone or host. */
export type CollisionKind = 'file' | 'repository'

/** A session as others are told of it. */
export interface Other {
  readonly name: string
  readonly agent: string
  /** It is a sub-agent of the same session. */
  readonly isSibling?: boolean
  readonly host?: string
}

export interface Found {
  readonly kind: CollisionKind
  /** As this session names it. */
  readonly path: string
  readonly other: Other
  readonly at: number
  readonly tool: string
  /** The other's worktree or clone. */
  readonly root?: string
}

const MAX_SHOWN = 5
const NAME_CHARS = 60
const PATH_CHARS = 200

/** One line for people: what happened. */
export function lineOf({ kind, path, other, at, tool, root }: Found, now: number): string {
  const where =
    kind === 'file' ? '' : other.host ? ` on host ${name(other.host)}` : ` in ${shown(root ?? '')}`
  return `${who(other)} wrote ${shown(path)}${where} ${age(now - at)} ago (${name(tool)})`
}

/** For the agent that is about to write, or has written where it could not be told before. */
export function warningOf(found: readonly Found[], isBefore: boolean, now: number): string {
  const files = found.filter(({ kind }) => kind === 'file')
  const copies = found.filter(({ kind }) => kind === 'repository')
  const parts: string[] = []
  if (files.length > 0)
    parts.push(
      `${isBefore ? 'You are about to write' : 'You have just written'} ${files.length === 1 ? 'a file' : 'files'} that another running agent changed:`,
      ...listed(files, now),
      isBefore
        ? 'Its content may not be what you remember. Read it again before you write, change only your own part, and keep what the other agent wrote.'
        : 'Read it again: check that nothing of the other agent is lost, and restore it if so.',
      'If both of you need this file for longer, work in a worktree of your own (git worktree add), or ask your user.',
    )
  if (copies.length > 0)
    parts.push(
      `Another running agent changed ${copies.length === 1 ? 'its own copy of this file' : 'its own copies of these files'} of the same repository:`,
      ...listed(copies, now),
      'Nothing of yours is overwritten, but the two changes may conflict when they are merged. Keep your change to this file small.',
    )
  return `gantry: ${parts.join('\n')}`
}

/** For the person who decides. */
export function questionOf(found: readonly Found[], now: number): string {
  return [
    'gantry: another running agent changed this file. Write it all the same?',
    ...listed(found, now),
    'Instead: wait until the other agent is done, or let this one work in a worktree (git worktree add).',
  ].join('\n')
}

export interface Neighbour {
  readonly other: Other
  readonly since: number
  readonly lastActivity: number
  /** Its last files. */
  readonly files: readonly string[]
}

/** For a session that starts where others work. */
export function greetingOf(neighbours: readonly Neighbour[], root: string, now: number): string {
  const lines = neighbours.slice(0, MAX_SHOWN).map(({ other, since, lastActivity, files }) => {
    const wrote = files.slice(0, MAX_SHOWN).map(shown).join(', ')
    return `- ${who(other)}, started ${age(now - since)} ago, last active ${age(now - lastActivity)} ago${wrote && `; it lately wrote ${wrote}`}`
  })
  const one = neighbours.length === 1
  return [
    `gantry: ${one ? 'Another agent session works' : `${neighbours.length} other agent sessions work`} in this worktree (${shown(root)}):`,
    ...lines,
    'Uncommitted changes here may not be yours: do not discard, stash or commit what you did not write. For larger changes, use a worktree of your own (git worktree add).',
  ].join('\n')
}

export function greetingLine(neighbours: readonly Neighbour[]): string {
  const [first] = neighbours
  const more = neighbours.length - 1
  const others = more > 0 ? ` and ${counted(more, 'other session')}` : ''
  return `gantry: ${first ? who(first.other) : ''}${others} ${more > 0 ? 'work' : 'works'} in this worktree, too`
}

function listed(found: readonly Found[], now: number): string[] {
  const lines = found.slice(0, MAX_SHOWN).map((one) => `- ${lineOf(one, now)}`)
  const more = found.length - MAX_SHOWN
  return more > 0 ? [...lines, `- and ${counted(more, 'more file')}`] : lines
}

function who({ name: said, agent, isSibling }: Other): string {
  return isSibling ? `another sub-agent of this session (${name(said)})` : `${name(said)} (${name(agent)})`
}

function name(text: string): string {
  return clean(text.slice(0, NAME_CHARS)) || 'unnamed'
}

function shown(path: string): string {
  return clean(path.slice(-PATH_CHARS))
}
