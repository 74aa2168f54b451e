/** Finds renamed fields and tools: one is gone, another is new, and they are too similar for chance. */
import type { Expected } from '../expected.ts'
import { isInsideTool, parentOf } from '../shape.ts'

/** Names for one thing, as seen in agents and their documentation. */
const SAME: readonly ReadonlySet<string>[] = [
  new Set(['user_input', 'user_prompt', 'prompt']),
  new Set(['tool_output', 'tool_response', 'tool_result']),
  new Set(['agent_name', 'agent_id']),
]

const ALIKE = 0.5 // share of common words in both names

/** Maps the old name to the new one, each at most once. */
export function renamesIn(
  before: Expected,
  gone: readonly string[],
  after: Expected,
  added: readonly string[],
): Map<string, string> {
  const pairs = gone.flatMap((path) =>
    added
      .filter((other) => parentOf(other) === parentOf(path) && haveTypeInCommon(before, path, after, other))
      .map((other) => ({ path, other, score: likeness(nameOf(path), nameOf(other)) })),
  )
  const found = new Map<string, string>()
  const taken = new Set<string>()
  for (const { path, other, score } of pairs.sort((a, b) => b.score - a.score)) {
    if (score < ALIKE || found.has(path) || taken.has(other)) continue
    found.set(path, other)
    taken.add(other)
  }
  return found
}

/** `toolUseId` and `tool_use_id` give 1, `agent_name` and `agent_type` 0.5. */
function likeness(a: string, b: string): number {
  if (SAME.some((set) => set.has(a) && set.has(b))) return 2
  const [left, right] = [wordsOf(a), wordsOf(b)]
  const shared = left.filter((word) => right.includes(word)).length
  return shared / Math.max(left.length, right.length)
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]/)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** A documented field may have no type. */
function haveTypeInCommon(before: Expected, path: string, after: Expected, other: string): boolean {
  const types = before.fields?.[path]?.types ?? []
  const others = after.fields?.[other]?.types ?? []
  return types.length === 0 || others.length === 0 || types.some((type) => others.includes(type))
}

const ENOUGH_NAMES = 2 // arguments needed to tell one tool from another

/** Claude Code 2.0.77 has `Task`, 2.1.325 `Agent`: other names, the same arguments. */
export function renamedTools(
  before: readonly Expected[],
  after: readonly Expected[],
): { event: Expected; was: string; now: string }[] {
  const names = (all: readonly Expected[]) => new Set(all.map(({ tool }) => tool))
  const [old, now] = [names(before), names(after)]
  const gone = before.filter(({ tool }) => !now.has(tool))
  const fresh = after.filter(({ tool }) => !old.has(tool))
  const seen = new Set<string>()
  return gone.flatMap((one) => {
    const other = fresh.find((next) => next.event === one.event && haveSameArguments(one, next))
    if (!other || seen.has(one.tool)) return []
    seen.add(one.tool)
    return [{ event: other, was: one.tool, now: other.tool }]
  })
}

function haveSameArguments(a: Expected, b: Expected): boolean {
  const [left, right] = [requiredOf(a), requiredOf(b)]
  if (left.length < ENOUGH_NAMES || right.length < ENOUGH_NAMES) return false
  return left.every((path) => right.includes(path)) || right.every((path) => left.includes(path))
}

function requiredOf({ fields = {} }: Expected): string[] {
  return Object.keys(fields).filter((path) => isInsideTool(path) && fields[path]?.required)
}
