import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventOf, tempDir } from '../../../test/kit.ts'
import { type DriftRow, openStore, readJournal, type ShapeRow, type Store } from '../index.ts'

function open(): Store {
  return openStore(join(tempDir(), 'gantry.db'))
}

const row = (parts: Partial<ShapeRow> = {}): ShapeRow => ({
  agent: 'claude',
  version: '2.1.325',
  event: 'Stop',
  tool: '',
  count: 1,
  fields: 5,
  firstAt: 1,
  lastAt: 2,
  shape: '{"a":1}',
  ...parts,
})

const drift = (key: string, parts: Partial<DriftRow> = {}): DriftRow => ({
  key,
  agent: 'claude',
  version: '2.1.325',
  event: 'Stop',
  tool: '',
  path: 'x',
  kind: 'new-field',
  severity: 'info',
  was: null,
  now: 'string',
  message: 'claude Stop: new field "x"',
  cause: 'e1',
  at: 1,
  acceptedAt: null,
  ...parts,
})

describe('shapes', () => {
  test('have one row each, with the newest value', () => {
    const { schemas } = open()
    schemas.put(row())
    schemas.put(row({ count: 7, shape: '{"a":2}' }))
    schemas.put(row({ tool: 'Bash' }))
    expect(schemas.all()).toHaveLength(2)
    expect(schemas.get(row())).toBe('{"a":2}')
    expect(schemas.get(row({ event: 'Start' }))).toBeUndefined()
  })

  test('are found by agent, version and event, and deleted by version', () => {
    const { schemas } = open()
    for (const version of ['1', '2'])
      for (const event of ['Stop', 'Start']) schemas.put(row({ version, event }))
    schemas.put(row({ agent: 'codex', version: '1' }))
    expect(schemas.all({ agent: 'claude' })).toHaveLength(4)
    expect(schemas.all({ agent: 'claude', version: '2', event: 'Stop' })).toHaveLength(1)
    expect(schemas.extents()).toEqual([
      { agent: 'claude', version: '1', shapes: 2, fields: 10, count: 2, lastAt: 2 },
      { agent: 'claude', version: '2', shapes: 2, fields: 10, count: 2, lastAt: 2 },
      { agent: 'codex', version: '1', shapes: 1, fields: 5, count: 1, lastAt: 2 },
    ])
    schemas.forget('claude', '1')
    expect(schemas.all().map(({ agent, version }) => `${agent} ${version}`)).toEqual([
      'claude 2',
      'claude 2',
      'codex 1',
    ])
  })
})

describe('differences', () => {
  test('stay when accepted, per agent, and not forever', () => {
    const { schemas } = open()
    for (let i = 0; i < 600; i++) schemas.putDrift(drift(`k${i}`, { at: i }))
    schemas.putDrift(drift('other', { agent: 'codex' }))
    schemas.accept('claude', 9)
    const rows = schemas.drifts()
    expect(rows.filter(({ acceptedAt }) => acceptedAt === 9)).toHaveLength(500)
    expect(rows[0]).toEqual(drift('k599', { at: 599, acceptedAt: 9 }))
    expect(rows.filter(({ acceptedAt }) => acceptedAt === null).map(({ key }) => key)).toEqual(['other'])
  })
})

describe('baselines', () => {
  test('are one per version, the newest, and limited in number', () => {
    const { schemas } = open()
    for (let i = 0; i < 80; i++)
      schemas.putBaseline({ agent: 'claude', version: `1.0.${i}`, at: i, baseline: '{}' })
    schemas.putBaseline({ agent: 'claude', version: '1.0.79', at: 99, baseline: '{"a":1}' })
    const rows = schemas.baselines()
    expect(rows).toHaveLength(64)
    expect(rows.at(-1)).toEqual({ agent: 'claude', version: '1.0.79', at: 99, baseline: '{"a":1}' })
    expect(rows[0]?.version).toBe('1.0.16')
  })
})

describe('payloads', () => {
  test('come in order with their metadata; too long, cut or binary ones come empty', () => {
    const dir = tempDir()
    const store = openStore(join(dir, 'gantry.db'))
    const tool = { name: 'Bash', input: {} }
    store.journal.commit(() => {
      store.journal.append(eventOf({ id: 'a', agentVersion: '2.1.325', tool, raw: '{"a":"ä"}' }))
      store.journal.append(eventOf({ id: 'b', raw: 'x'.repeat(100) }))
      store.journal.append(eventOf({ id: 'c', raw: '{}', cutFrom: 9 }))
      store.journal.append(eventOf({ id: 'd', raw: new Uint8Array([1, 2]) }))
    })
    const raws = [...store.payloads(0, 10, 50)].map(({ id, version, tool, raw }) => [id, version, tool, raw])
    expect(raws).toEqual([
      ['a', '2.1.325', 'Bash', '{"a":"ä"}'],
      ['b', '', '', ''],
      ['c', '', '', ''],
      ['d', '', '', ''],
    ])
    expect([...store.payloads(2, 1, 50)].map(({ seq }) => seq)).toEqual([3])
    store.close()
  })

  test('are read beside a daemon, in pages, between two sequences', () => {
    const path = join(tempDir(), 'gantry.db')
    const store = openStore(path)
    store.journal.commit(() => {
      for (let i = 1; i <= 4500; i++) store.journal.append(eventOf({ id: `e${i}`, raw: '{}' }))
    })
    const journal = readJournal(path)
    expect([journal.first, journal.last]).toEqual([1, 4500])
    expect([...journal.payloads(100, 4400, 50)].map(({ seq }) => seq)).toEqual(
      Array.from({ length: 4300 }, (_, i) => i + 101),
    )
    expect([...journal.payloads(4500, 9000, 50)]).toEqual([])
    journal.close()
    store.close()
    expect(() => new Database(path, { readonly: true }).exec('DELETE FROM events')).toThrow()
  })
})
