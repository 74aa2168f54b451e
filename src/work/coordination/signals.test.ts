import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { openStore } from '../../store/index.ts'
import { type Signal, Signals } from './signals.ts'

const CHILD: Signal = { kind: 'CHILD', about: 'tester', detail: 'done', at: 1 }
const WORK: Signal = { kind: 'WORK', about: 'effort 2', at: 2 }

function open(path = join(tempDir(), 'gantry.db')) {
  const store = openStore(path)
  return { path, store, signals: new Signals(store.signals, (work) => store.journal.relaxed(work)) }
}

describe('a coordinator', () => {
  test('gets earlier signals at once, and only once', async () => {
    const { signals } = open()
    signals.send(WORK)
    expect(await signals.wait(0)).toMatchObject({ result: 'WORK', signals: [WORK] })
    expect(await signals.wait(0)).toEqual({ result: 'TIMEOUT', signals: [] })
  })

  test('is woken; a child comes before new work', async () => {
    const { signals } = open()
    const waiting = signals.wait(5_000)
    signals.send(WORK)
    signals.send(CHILD)
    expect(await waiting).toMatchObject({ result: 'CHILD', signals: [WORK, CHILD] })
  })

  test('keeps waiting if another took the signal', async () => {
    const { signals } = open()
    const first = signals.wait(5_000)
    const second = signals.wait(5_000)
    signals.send(CHILD)
    expect(await first).toMatchObject({ result: 'CHILD' })
    await Bun.sleep(5)
    signals.send(WORK)
    expect(await second).toMatchObject({ result: 'WORK', signals: [WORK] })
  })

  test('that dies before it received a signal leaves it to the next', async () => {
    const { signals } = open()
    signals.send(CHILD)
    const kept = await signals.wait(0, true)
    const again = await signals.wait(0, true)
    expect(again).toEqual(kept)
    signals.heard(again.signals[0]?.n ?? 0)
    expect(await signals.wait(0, true)).toEqual({ result: 'TIMEOUT', signals: [] })
  })

  test('gets earlier signals after a restart, but no delivered ones', async () => {
    const before = open()
    before.signals.send(WORK)
    await before.signals.wait(0)
    before.signals.send(CHILD)
    const kept = await before.signals.wait(0, true)
    before.store.close()
    const { signals } = open(before.path)
    expect(await signals.wait(0, true)).toEqual(kept)
    signals.heard(kept.signals[0]?.n ?? 0)
    signals.send(WORK)
    const next = await signals.wait(0)
    expect(next).toMatchObject({ result: 'WORK', signals: [WORK] })
    expect(next.signals[0]?.n).toBeGreaterThan(kept.signals[0]?.n ?? 0)
  })

  test('gets repeated signals once', async () => {
    const { signals } = open()
    for (let at = 0; at < 5; at++) signals.send({ ...CHILD, at })
    signals.send({ ...CHILD, detail: 'attention' })
    signals.send({ ...CHILD, effort: 2 })
    expect((await signals.wait(0)).signals).toMatchObject([
      { detail: 'done', at: 4 },
      { detail: 'attention' },
      { detail: 'done', effort: 2 },
    ])
  })

  test('gets signals of its effort or its project, and takes none from others', async () => {
    const { store, signals } = open()
    const { work } = store
    const begun = (path: string) =>
      store.journal.commit(() => {
        const { id } = work.addProject(path, path, 1)
        work.putTask({ dirPath: `/t${path}`, projectId: id, title: 'T', keywords: [] }, 1)
        const base = { agentId: null, skill: 'fix', mode: null, currentPhase: null, createdAt: 1 }
        const more = { discoveredDirectives: [], metadata: {} }
        const add = () => work.addEffort({ ...base, ...more, taskId: `/t${path}` }).id
        return { project: id, efforts: [add(), add()] as const }
      })
    const [a, b] = [begun('/a'), begun('/b')]
    const of = (effort: number) => ({ ...CHILD, about: `of ${effort}`, effort })
    const waiting = signals.wait(5_000, false, { project: b.project })
    for (const effort of [...a.efforts, ...b.efforts]) signals.send(of(effort))
    expect((await waiting).signals).toMatchObject(b.efforts.map(of))
    expect((await signals.wait(0, false, { project: b.project })).signals).toEqual([])
    expect((await signals.wait(0, false, { effort: a.efforts[1] })).signals).toMatchObject([of(a.efforts[1])])
    expect((await signals.wait(0)).signals).toMatchObject([of(a.efforts[0])])
  })

  test('gets no signal of a rolled back transaction', async () => {
    const { store, signals } = open()
    const waiting = signals.wait(5_000)
    const undone = () =>
      store.journal.commit(() => {
        signals.send(CHILD)
        throw new Error('no room')
      })
    expect(undone).toThrow('no room')
    await Bun.sleep(5)
    store.journal.commit(() => signals.send(WORK))
    expect(await waiting).toMatchObject({ result: 'WORK', signals: [WORK] })
  })

  test('gets the newest if nobody waited for long', async () => {
    const { store, signals } = open()
    store.journal.commit(() => {
      for (let at = 0; at < 1_000; at++) signals.send({ ...CHILD, about: `tester ${at}`, at })
    })
    const { signals: kept } = await signals.wait(0)
    expect(kept).toHaveLength(100)
    expect(kept.at(-1)).toMatchObject({ at: 999 })
  })
})
