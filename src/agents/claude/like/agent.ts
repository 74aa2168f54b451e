/** The record of an agent that took over Claude Code's hooks: their format, their answers and their place in settings. */
import type { Agent, AgentFacts } from '../../agent.ts'
import { describeEvents } from '../../payload.ts'
import { CONTEXT_LIMIT } from '../../reply-capabilities.ts'
import { type AgentSettings, type HookChoice, hookChoices } from '../../settings.ts'
import { settings as claudeSettings } from '../settings.ts'
import { type ClaudeCapabilities, claudeAnswers } from './answers.ts'
import type { ClaudeFormat } from './format.ts'
import { groupedHooks } from './settings.ts'

interface ClaudeLike extends AgentFacts {
  readonly format: ClaudeFormat
  /** Events whose answer it reads. */
  readonly obeys: Readonly<Record<string, ClaudeCapabilities>>
  /** Events that are not installed unless asked for, and why. */
  readonly off?: Readonly<Record<string, string>>
  readonly answerNote?: string
  readonly settings: Omit<AgentSettings, 'wiring' | 'recognise' | 'versions' | 'hooks'>
}

/** Its hooks are in `settings.json` of its folder. */
export function claudeAgent({ format, obeys, off = {}, settings, ...facts }: ClaudeLike): Agent {
  const about: Record<string, Omit<HookChoice, 'event' | 'since'>> = {}
  // The hook client knows deciders by their name alone.
  for (const { event, held } of claudeSettings.hooks) if (held) about[event] = { held }
  for (const [event, why] of Object.entries(off)) about[event] = { ...about[event], off: why }
  return {
    ...facts,
    read: format.read,
    answer: claudeAnswers({ title: settings.title, capabilities: new Map(Object.entries(obeys)) }),
    events: describeEvents(format.events),
    commonFields: Object.keys(format.common),
    contextLimit: CONTEXT_LIMIT,
    settings: groupedHooks({
      ...settings,
      agent: facts.id,
      file: 'settings.json',
      versions: [format.since],
      hooks: hookChoices(format.events, format.since, about),
    }),
  }
}
