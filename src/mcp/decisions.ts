/** The tool that explains denials. It reads: no tool answers a permission or changes what decides. */
import { z } from 'zod'
import { call, type PagedEvent, type WhyView } from '../client/index.ts'
import { inputLine } from '../core/text/input-line.ts'
import { utcTime } from '../core/time/days.ts'
import { keyOf } from '../events/index.ts'
import { row, text } from './answer.ts'
import { which } from './sessions.ts'
import { tool } from './tool.ts'

const MAX_SESSIONS = 4 // each is a look through the journal

export const whyDenied = tool({
  name: 'why_denied',
  description: 'The last calls that gantry denied: which rule or guard, and why. Does not change it',
  args: z.object({ session: which.optional(), limit: z.int().min(1).max(5).default(2) }),
  async answer({ session, limit }, { places, project }) {
    const own = session === undefined ? await project.sessions() : [await project.session(session)]
    const denied = own
      .filter(({ denials = 0 }) => denials > 0)
      .toSorted((a, b) => b.lastActivity - a.lastActivity)
      .slice(0, MAX_SESSIONS)
    const names = new Map(denied.map(({ key, name }) => [key, name]))
    const events: PagedEvent[] = []
    for (const { key } of denied) {
      const page = await call(places, 'events.page', { session: key, verdict: 'deny', limit })
      events.push(...page.events.filter((event) => names.has(keyOf(event))))
    }
    const newest = events.toSorted((a, b) => b.seq - a.seq).slice(0, limit)
    if (newest.length === 0) return ['gantry has denied nothing in this project that it still knows of.']
    const lines: string[] = []
    for (const event of newest) {
      const why = await call(places, 'rules.why', { event: event.id })
      lines.push(...whyLines(why, names.get(keyOf(event))))
    }
    return [...lines, 'Only a person can change this: ask for it, or do it another way.']
  },
})

function whyLines(why: WhyView, name: string | undefined): string[] {
  const { at, agent, type, tool, prompt, answered, changed, rules, guards } = why
  const what = tool ? `${tool.name} ${inputLine(tool.input)}` : (prompt ?? '')
  const matched = [
    ...rules.filter(({ said }) => said === 'matched').map(({ id, why }) => row(`rule ${id}`, why)),
    ...guards.filter(({ said }) => said === 'matched').map(({ id, why }) => row(`guard ${id}`, why)),
  ]
  return [
    row(utcTime(at), text(name, 80), agent, text(type, 80), text(what)),
    ...(answered === undefined
      ? []
      : [
          `  answered: ${text(answered.decision, 40)}${answered.by === undefined ? '' : ` by ${text(answered.by, 80)}`}`,
          ...(answered.reason === undefined ? [] : [`  reason: ${text(answered.reason, 600)}`]),
        ]),
    ...matched.map((one) => `  matches today: ${text(one)}`),
    ...(changed === undefined ? [] : [`  ${text(changed)}`]),
  ]
}
