/**
 * Rules from what their owner answered. Answers to the same program, subcommand and flags are one group; a group that was
 * always answered alike becomes a rule. What is denied is denied by its effect, however it is written. What is allowed is only
 * the plain line: these flags, and words that hide nothing. Nothing is allowed that a guard at `standard` objects to.
 */
import { shellLine } from '../../agents/index.ts'
import { isObject } from '../../core/is-object.ts'
import type { HookEvent } from '../../events/index.ts'
import type { RuleEffects } from '../../rpc/index.ts'
import type { EventReader } from '../../store/index.ts'
import { type Call, callOf } from '../guards/call.ts'
import type { GuardSettings } from '../guards/config.ts'
import { GUARDS } from '../guards/index.ts'
import { parseRules, type Rule } from '../rules/index.ts'
import { Facts } from '../rules/rule.ts'
import { wordsOf } from '../rules/when.ts'
import { Draft, type DraftParts } from './draft.ts'
import { replay } from './replay.ts'
import { storedEvent } from './why.ts'

/** A rule as it would stand in a file. */
type Proposal = Readonly<Record<string, unknown>> & { readonly id: string }

interface Suggestion {
  readonly rule: Proposal
  readonly decision: Decision
  /** How often its owner answered so. */
  readonly answers: number
  /** What it would have done. */
  readonly past: RuleEffects
}

interface SuggestOptions {
  readonly since: number
  /** Answers that make a rule. */
  readonly least: number
  readonly progress?: (done: number, total: number) => void
}

type Decision = 'allow' | 'deny'

interface Group {
  readonly program: string
  readonly subcommand: string | undefined
  readonly flags: readonly string[]
  /** The field of the tool's input that has the line. */
  readonly field: string
  readonly lines: string[]
  readonly decisions: Set<Decision>
}

export async function suggest(
  reader: EventReader,
  parts: Omit<DraftParts, 'rules' | 'guards'>,
  { since, least, progress }: SuggestOptions,
): Promise<Suggestion[]> {
  const standard = new Draft({ ...parts, rules: [], guards: STANDARD })
  const groups = [...groupsOf(reader, standard, since).values()].filter(
    ({ lines, decisions }) => lines.length >= least && decisions.size === 1,
  )
  const proposed = new Map<string, { group: Group; rule: Rule; text: Proposal; decision: Decision }>()
  for (const group of groups) {
    const decision: Decision = group.decisions.has('allow') ? 'allow' : 'deny'
    const text = decision === 'allow' ? allowing(group) : denying(group)
    const rule = await ruleOf(text)
    if (rule && !(decision === 'allow' && matchesGuarded(rule, group.field)))
      proposed.set(rule.id, { group, rule, text, decision })
  }
  const draft = new Draft({ ...parts, rules: [...proposed.values()].map(({ rule }) => rule), guards: OFF })
  const guarded = new Set<string>()
  const { rules } = await replay(reader, draft, {
    since,
    ...(progress ? { progress } : {}),
    each: async (event, { matched }) => {
      if (!matched.some(({ text }) => text.decision === 'allow')) return
      await standard.look(event)
      const { verdict } = standard.judge({ ...event, type: 'PreToolUse' })
      if (verdict.decision !== 'none') for (const { id } of matched) guarded.add(id)
    },
  })
  draft.close()
  standard.close()
  return rules.flatMap((past): Suggestion[] => {
    const one = proposed.get(past.id)
    if (!one || (one.decision === 'allow' && guarded.has(past.id))) return []
    return [{ rule: one.text, decision: one.decision, answers: one.group.lines.length, past }]
  })
}

const STANDARD: GuardSettings = { preset: 'standard', one_strike: false, modes: {} }
const OFF: GuardSettings = { preset: 'off', one_strike: false, modes: {} }

function groupsOf(reader: EventReader, draft: Draft, since: number): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const [id, decision] of answersIn(reader, since)) {
    const event = storedEvent(reader, id)
    const found = event && effectOf(event, draft)
    if (!found) continue
    const { line, ...effect } = found
    const key = JSON.stringify(effect)
    const group = groups.get(key) ?? { ...effect, lines: [], decisions: new Set() }
    group.lines.push(line)
    group.decisions.add(decision)
    groups.set(key, group)
  }
  return groups
}

/** In the agent's own dialog, too: whatever was asked went on, or did not. */
const WENT_ON = /\((PostToolUse|PostToolUseFailure|PermissionDenied)\)$/

function answersIn(reader: EventReader, since: number): Map<string, Decision> {
  const answers = new Map<string, Decision>()
  for (const { type, data } of reader.said(since)) {
    if (!type.startsWith('Approval')) continue
    const { event_id: id, decision, by } = JSON.parse(data) as Record<string, unknown>
    if (typeof id !== 'string') continue
    const how = type === 'ApprovalWithdrawn' ? WENT_ON.exec(String(by))?.[1] : undefined
    if (decision === 'allow' || decision === 'deny') answers.set(id, decision)
    else if (how !== undefined) answers.set(id, how === 'PermissionDenied' ? 'deny' : 'allow')
  }
  return answers
}

/** Programs whose first word says what they do. */
const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(
  'git gh docker podman kubectl helm npm pnpm yarn bun cargo go pip pip3 uv poetry aws gcloud az systemctl terraform brew apt apt-get make just'.split(
    ' ',
  ),
)

function effectOf(
  event: HookEvent,
  draft: Draft,
): (Omit<Group, 'lines' | 'decisions'> & { line: string }) | undefined {
  const { tool } = event
  const line = tool && shellLine(tool)
  if (!line?.isSh || !isObject(tool?.input)) return undefined
  const { understood, commands } = draft.judges.policy.world.call(event)?.effects ?? { commands: [] }
  const [command, ...others] = commands
  // In a line with several commands, the answer may have been about any of them.
  if (!understood || !command || others.length > 0 || command.program === '' || command.redirects.length > 0)
    return undefined
  const call = callOf(command, 0)
  const { program } = call
  return {
    program,
    subcommand: WITH_SUBCOMMANDS.has(program) ? wordsOf(call).operands[0] : undefined,
    flags: flagsOf(call),
    field: tool.input.command === undefined ? 'cmd' : 'command',
    line: line.line,
  }
}

function flagsOf({ words }: Call): string[] {
  const flags = words.flatMap((word) => /^-{1,2}[A-Za-z0-9][\w-]*/.exec(word)?.[0] ?? [])
  return [...new Set(flags)].sort()
}

const MAX_EXAMPLES = 3

function denying({ program, subcommand, flags, field, lines }: Group): Proposal {
  return {
    id: idOf('no', program, subcommand, flags),
    on: 'PreToolUse',
    when: {
      program,
      ...(subcommand === undefined ? {} : { subcommand }),
      ...(flags.length === 0 ? {} : { flags: flags.map((flag) => [flag]) }),
    },
    // biome-ignore lint/suspicious/noThenProperty: a key of the file
    then: { deny: `The owner of this machine denied this ${lines.length} times.` },
    examples: examplesOf(field, lines),
  }
}

/** A word that a shell takes literally, and not an option. */
const PLAIN_WORD = '[\\w./:@,+=][\\w./:@,+=-]*'

function allowing({ program, subcommand, flags, field, lines }: Group): Proposal {
  const start = [program, ...(subcommand === undefined ? [] : [subcommand])].map(escaped).join(' ')
  const words = [...flags.map((flag) => `${escaped(flag)}(?:=${PLAIN_WORD})?`), '--', PLAIN_WORD].join('|')
  return {
    id: idOf('may', program, subcommand, flags),
    on: 'PermissionRequest',
    match: { [`tool.input.${field}`]: `^${start}(?: (?:${words}))*$` },
    when: { program, ...(subcommand === undefined ? {} : { subcommand }) },
    // biome-ignore lint/suspicious/noThenProperty: a key of the file
    then: { allow: true },
    examples: examplesOf(field, lines),
  }
}

function examplesOf(field: string, lines: readonly string[]): { match: unknown[] } | undefined {
  return field === 'command' ? { match: [...new Set(lines)].slice(0, MAX_EXAMPLES) } : undefined
}

function idOf(...parts: readonly (string | readonly string[] | undefined)[]): string {
  const words = parts.flat().filter((part) => part !== undefined) as string[]
  return words
    .map((word) => word.replace(/^-+/, '').replace(/[^A-Za-z0-9_.]+/g, '-'))
    .join('-')
    .slice(0, 64)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Undefined if the rule fails its own examples: a line with shell syntax does not match as a plain one. */
async function ruleOf(text: Proposal): Promise<Rule | undefined> {
  try {
    return (await parseRules(JSON.stringify({ rules: [text] }), 'proposal'))[0]
  } catch {
    return undefined
  }
}

/** Guards know what they object to by example. */
function matchesGuarded(rule: Rule, field: string): boolean {
  const lines = GUARDS.filter(({ standard }) => standard === 'deny' || standard === 'ask').flatMap(
    ({ examples }) => examples.match,
  )
  return lines.some((line) => {
    const event: HookEvent = {
      ...{ id: 'example', seq: 0, at: 0, receivedAt: 0, agent: 'example', type: 'PermissionRequest' },
      ...{ native: '', sessionId: '', client: { env: {} }, transport: 'socket', raw: '{}' },
      tool: { name: 'Bash', input: { [field]: line } },
    }
    return rule.judge(new Facts(event)) !== 'no'
  })
}
