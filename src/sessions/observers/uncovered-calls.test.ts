import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIXTURES, fixtureLines, rawEvent, tempDir, until } from '../../../test/kit.ts'
import { agentFor } from '../../agents/index.ts'
import { type HookEvent, keyOf } from '../../events/index.ts'
import { readEvent } from '../../journal/parse-event.ts'
import { openStore } from '../../store/index.ts'
import { blankSession, type Session } from '../state/index.ts'
import { UncoveredCalls } from './uncovered-calls.ts'

/** Recordings of real runs that have both: what the hooks said, and the transcript. */
const RUNS = (['claude/2.1.325', 'codex/0.166.0', 'gemini/0.61.0'] as const).flatMap((folder) =>
  readdirSync(join(FIXTURES, folder, 'transcripts'))
    .filter((scenario) => existsSync(join(FIXTURES, folder, `${scenario}.jsonl`)))
    .map((scenario) => [folder, scenario] as const),
)

function setup() {
  const store = openStore(join(tempDir(), 'gantry.db'))
  const sessions = new Map<string, Session>()
  const found: string[] = []
  const calls = new UncoveredCalls({
    comparesTranscripts: () => true,
    store,
    session: (key) => sessions.get(key),
    raise: ({ raw }) => found.push(String(JSON.parse(String(raw)).tool_use_id)),
    isQueued: () => false,
    spooled: async () => 0,
  })
  calls.resumed(0)
  const know = (event: Pick<HookEvent, 'agent' | 'sessionId' | 'at'>) => {
    const key = keyOf(event)
    if (!sessions.has(key)) sessions.set(key, blankSession(event))
    return key
  }
  /** All calls so far are judged when one is that no hook can have announced. */
  const judged = async () => {
    const key = know({ agent: 'claude', sessionId: 'sentinel', at: 0 })
    calls.take(key, { kind: 'tool-start', at: 1, useId: 'sentinel', name: 'Bash', input: {} })
    calls.take(key, { kind: 'tool-end', at: 2, useId: 'sentinel', outcome: 'ok' })
    await until(() => found.includes('sentinel'), 'the sentinel')
    return found.filter((id) => id !== 'sentinel')
  }
  return { calls, know, judged, store }
}

function hooksOf(folder: string, scenario: string): HookEvent[] {
  return fixtureLines(`${folder}/${scenario}.jsonl`).map((line) =>
    readEvent(
      rawEvent({
        agent: folder.split('/')[0] ?? '',
        at: Date.parse(line.at),
        event: line.event,
        raw: JSON.stringify(line.payload),
      }),
    ),
  )
}

function factsOf(folder: string, scenario: string) {
  const reader = agentFor(folder.split('/')[0] ?? '').transcript
  const dir = join(FIXTURES, folder, 'transcripts', scenario)
  const files = readdirSync(dir).filter((name) => name.endsWith('.jsonl'))
  return files.flatMap((name) => {
    const lines = readFileSync(join(dir, name), 'utf8').split('\n')
    const sessionId = lines
      .map((line) => reader?.places?.whose(line)?.sessionId)
      .find((id) => id !== undefined)
    return lines.flatMap((line) =>
      (reader?.read(line) ?? []).map((fact) => ({ sessionId: sessionId ?? '', fact })),
    )
  })
}

describe.each(RUNS)('%s %s', (folder, scenario) => {
  const agent = folder.split('/')[0] ?? ''

  test.concurrent('has no uncovered call with its hooks', async () => {
    const { calls, know, judged } = setup()
    for (const event of hooksOf(folder, scenario)) {
      know(event)
      calls.see(event)
    }
    for (const { sessionId, fact } of factsOf(folder, scenario))
      calls.take(know({ agent, sessionId, at: 0 }), fact)
    expect(await judged()).toEqual([])
    calls.close()
  })

  test.concurrent('has as many as ran without them', async () => {
    const { calls, know, judged } = setup()
    const ran = new Set<string>()
    const isSure = agentFor(agent).transcript?.places?.isErrorUnsure === undefined
    const counted: string[] = isSure ? ['ok', 'error'] : ['ok']
    const facts = factsOf(folder, scenario)
    const started = new Set(facts.flatMap(({ fact }) => (fact.kind === 'tool-start' ? fact.useId : [])))
    for (const { sessionId, fact } of facts) {
      calls.take(know({ agent, sessionId, at: 0 }), fact)
      if (fact.kind === 'tool-end' && counted.includes(fact.outcome) && started.has(fact.useId))
        ran.add(fact.useId)
    }
    expect((await judged()).toSorted()).toEqual([...ran].toSorted())
    calls.close()
  })
})

test.concurrent('tools without hooks are counted, and raise no alarm', async () => {
  const { calls, know, judged, store } = setup()
  const key = know({ agent: 'codex', sessionId: 's', at: 0 })
  const line = { type: 'response_item', timestamp: new Date().toISOString() }
  const payload = { type: 'function_call', call_id: 'c1', name: 'write_stdin', arguments: '{}' }
  const facts = agentFor('codex').transcript?.read(JSON.stringify({ ...line, payload })) ?? []
  for (const fact of [...facts, ...facts]) calls.take(key, fact)
  expect(await judged()).toEqual([])
  expect(store.counters.all().filter(({ kind }) => kind === 'blind')).toMatchObject([
    { key: 'codex ? write_stdin', count: 1 },
  ])
  calls.close()
})
