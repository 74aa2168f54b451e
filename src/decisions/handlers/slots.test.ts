import { expect, test } from 'bun:test'
import { Slots } from './slots.ts'

function open(limits: Partial<ConstructorParameters<typeof Slots>[0]> = {}) {
  const slots = new Slots({ running: 2, watching: 1, queued: 10, queuedBytes: 1_000, ...limits })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const task = (name: string, session?: string, bytes = 1) =>
    slots.take({
      ...(session === undefined ? {} : { session }),
      bytes,
      run: () => {
        started.push(name)
        return new Promise<string>((end) => ends.set(name, () => end(name)))
      },
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await Bun.sleep(0)
  }
  return { slots, started, task, end }
}

test('only so many run at once; those an agent waits for come first', async () => {
  const { started, task, end } = open()
  const last = [task('a'), task('b'), task('watch', 's'), task('c')].at(-1)
  expect(started).toEqual(['a', 'b'])
  await end('a')
  expect(started).toEqual(['a', 'b', 'c'])
  await end('b')
  expect(started).toEqual(['a', 'b', 'c', 'watch'])
  await end('c')
  expect(await last).toBe('c')
})

test('those that nobody waits for never take all the room', () => {
  const { started, task } = open()
  task('watch 1', 's1')
  task('watch 2', 's2')
  task('a')
  expect(started).toEqual(['watch 1', 'a'])
})

test('events of one session are watched one after the other, in their order', async () => {
  const { started, task, end } = open({ running: 4, watching: 4 })
  task('1', 's')
  task('2', 's')
  task('other', 't')
  task('3', 's')
  expect(started).toEqual(['1', 'other'])
  await end('1')
  expect(started).toEqual(['1', 'other', '2'])
  await end('2')
  expect(started).toEqual(['1', 'other', '2', '3'])
})

test('beyond so many, or so many bytes, none is taken', () => {
  const { task } = open({ queued: 2 })
  for (const name of ['a', 'b', 'c', 'd']) expect(task(name)).toBeDefined()
  expect(task('e')).toBeUndefined()
  const { task: large } = open()
  large('a')
  large('b')
  expect(large('c', undefined, 900)).toBeDefined()
  expect(large('d', undefined, 200)).toBeUndefined()
})

test('one that fails makes room like any other', async () => {
  const slots = new Slots({ running: 1, watching: 1, queued: 10, queuedBytes: 1_000 })
  const failing = slots.take({ bytes: 1, run: () => Promise.reject(new Error('no')) })
  expect(failing).rejects.toThrow('no')
  expect(await slots.take({ bytes: 1, run: () => Promise.resolve('yes') })).toBe('yes')
})
