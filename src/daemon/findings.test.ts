import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir } from '../../test/kit.ts'
import { clock } from '../core/text/text.ts'
import { VERSION } from '../core/version.ts'
import { openStore } from '../store/index.ts'
import { daemonFindings, type FindingParts } from './findings.ts'

const EMPTY = {
  dir: '/s/spool',
  frames: 0,
  all: 0,
  drafts: { files: 0, bytes: 0 },
  aside: { files: 0, bytes: 0 },
}

const SEEN_AT = Date.now() - 3 * 3_600_000 - 1_000

function find(parts: { [K in keyof FindingParts]?: unknown } = {}, count: [string, string][] = []) {
  const store = openStore(join(tempDir(), 'gantry.db'))
  for (const [kind, key] of count) store.counters.count(kind, key, SEEN_AT)
  return daemonFindings({
    store,
    pipeline: { fault: undefined, unstored: 0 },
    spool: EMPTY,
    clientVersions: new Set([VERSION]),
    notes: [],
    ...parts,
  } as FindingParts)
}

test('there is no finding when all is well', () => {
  expect(find()).toEqual([])
})

describe('a finding', () => {
  test('says what to do next, with the file that is wrong', () => {
    const fixOf = (parts: Parameters<typeof find>[0], ...count: [string, string][]) =>
      find(parts, count)[0]?.fix
    expect(fixOf({ handlerProblems: ['/x/a b.ts:3: no such name'] })).toContain('handlers test /x/a b.ts')
    expect(fixOf({}, ['degraded', 'claude PreToolUse context'])).toContain('docs/verdicts.md')
    expect(fixOf({}, ['missed', 'claude PreToolUse failed'])).toContain('gantry config path log')
    expect(fixOf({}, ['missed', 'claude PreToolUse away'])).toContain('--required in docs/hooks.md')
    expect(fixOf({}, ['missed', 'claude Bash no-hook'])).not.toContain('doctor')
  })

  test('about the journal: what is wrong now is a failure, what was wrong a warning', () => {
    expect(find({ pipeline: { fault: 'disk full', unstored: 3 } })).toMatchObject([
      {
        level: 'fail',
        about: 'journal',
        message: expect.stringContaining('disk full'),
        fix: expect.any(String),
      },
    ])
    expect(find({ pipeline: { fault: undefined, unstored: 3 } })).toMatchObject([
      { level: 'warn', about: 'journal', message: expect.stringContaining('3 events') },
    ])
  })

  test('about the spool counts the waiting events', () => {
    const about = (spool: object) =>
      find({ spool: { ...EMPTY, ...spool } }).map(({ level, message }) => `${level} ${message}`)
    expect(about({ frames: 7, all: 7 })).toEqual(['warn 7 events wait in the spool'])
    expect(about({ frames: 41_000, all: 41_000 })).toEqual([
      'warn 41,000 events wait in the spool; at 50,000 files it is full, and further events are lost',
    ])
    expect(about({ frames: 2, all: 50_000 })).toEqual([
      'fail 2 events wait in the spool, and it is full with 50,000 files: new events are lost',
    ])
  })

  test('about other files in the spool says how much, why, and what to do', () => {
    const aside = { files: 100, bytes: 3 * 1024 * 1024 }
    const drafts = { files: 69, bytes: 553 * 1024 * 1024 }
    expect(find({ spool: { ...EMPTY, drafts: { files: 3, bytes: 1024 } } })).toEqual([])
    expect(find({ spool: { ...EMPTY, aside, drafts } })).toMatchObject([
      {
        level: 'warn',
        message: expect.stringContaining('100 files (3 MB) in /s/spool/bad'),
        fix: expect.stringContaining('rm -r /s/spool/bad'),
      },
      {
        level: 'warn',
        message: expect.stringContaining('69 files (553 MB) left unfinished by hook clients'),
        fix: expect.any(String),
      },
    ])
    expect(
      find({}, [
        ['spool', 'draft removed'],
        ['spool', 'no event, removed'],
      ]),
    ).toMatchObject([
      {
        level: 'ok',
        message: expect.stringContaining('half-written files of killed hook clients, removed: 1'),
      },
      { level: 'warn', message: expect.stringContaining('removed because there were too many: 1') },
    ])
  })

  test('about a handler that is paused says why, until when, and what to do', () => {
    const broken = {
      id: 'guard',
      circuit: 'open',
      retryAt: SEEN_AT,
      lastError: 'exit code 1 at 2026-01-31T00:00:00Z',
    }
    const [found, tried, ...others] = find({
      handlers: [broken, { ...broken, circuit: 'half-open' }, { ...broken, circuit: 'closed' }],
    })
    expect(found).toMatchObject({
      level: 'warn',
      about: 'handler',
      fix: expect.stringContaining('unregister guard'),
    })
    expect([found?.message, tried?.message]).toEqual([
      `guard failed three times in a row and is left alone until ${clock(SEEN_AT)}: ${broken.lastError}`,
      `guard failed three times in a row and is on trial: ${broken.lastError}`,
    ])
    expect(others).toEqual([])
  })

  test('about handlers counts invalid answers, dropped events and missed decisions', () => {
    const counted = ['garbled', 'dropped', 'missed'].map((kind): [string, string] => [kind, 'handler h'])
    const messages = find({}, counted).map(({ message }) => message)
    expect(messages).toHaveLength(3)
    for (const word of ['made no sense', 'too fast', 'missed'])
      expect(messages.join('\n')).toMatch(new RegExp(`handler h: 1 .*${word}`))
  })

  test('about hook clients names each version except our own', () => {
    expect(find({ clientVersions: new Set([VERSION, '0.0.1', '9.9.9']) })).toMatchObject([
      { about: 'client', message: expect.stringContaining('0.0.1'), fix: expect.any(String) },
      { about: 'client', message: expect.stringContaining('9.9.9') },
    ])
  })

  test('about anomalies says what, how often and when', () => {
    const found = find({}, [
      ['unknown', 'claude Stop x'],
      ['unknown', 'claude Stop x'],
      ['cut', 'claude PostToolUse'],
      ['degraded', 'codex PreToolUse ask'],
      ['missed', 'claude PreToolUse'],
    ])
    expect(found.map(({ about }) => about).toSorted()).toEqual(['answer', 'drift', 'payload', 'policy'])
    const drift = found.find(({ about }) => about === 'drift')
    expect(drift?.message).toBe('claude Stop x: not known, seen 2 times (last 3h ago); kept in raw')
    expect(drift?.seen).toEqual({ count: 2, firstAt: SEEN_AT, lastAt: SEEN_AT })
  })

  test('is not made for expected counters', () => {
    expect(
      find({}, [
        ['redacted', 'claude'],
        ['duplicate', 'claude'],
      ]),
    ).toEqual([])
  })

  test('from the start stays', () => {
    const note = { level: 'fail', about: 'journal', message: 'the database was broken' } as const
    expect(find({ notes: [note] })).toEqual([note])
  })
})
