import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { CALLS } from './index.ts'

const files = readdirSync(import.meta.dir).filter((name) => !/^(index|.*\.test)\.ts$/.test(name))

/** The calls that a file defines. */
async function namesIn(file: string): Promise<string[]> {
  const tables = Object.entries(await import(`./${file}`)).filter(([name]) => name.endsWith('Calls'))
  return tables.flatMap(([, table]) => Object.keys(table as object))
}

test('no name is defined twice', async () => {
  const names = await Promise.all(files.map(namesIn))
  expect(names.flat().toSorted()).toEqual(Object.keys(CALLS).toSorted())
})

test('each call is in the file of its prefix', async () => {
  for (const file of files)
    for (const name of await namesIn(file)) {
      const own = `${name.split('.')[0]}.ts`
      expect(name.includes('.') || files.includes(own) ? own : 'daemon.ts', name).toBe(file)
    }
})

test('every example is valid for its call', () => {
  for (const [name, { args, example }] of Object.entries(CALLS))
    expect(args.safeParse(example).success, name).toBe(true)
})
