import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { CALLS } from './index.ts'

test('no name is defined twice', async () => {
  const files = readdirSync(import.meta.dir).filter((name) => !/^(index|.*\.test)\.ts$/.test(name))
  const modules = await Promise.all(files.map((name) => import(`./${name}`)))
  const tables = modules.flatMap((one) => Object.entries(one).filter(([name]) => name.endsWith('Calls')))
  const names = tables.flatMap(([, table]) => Object.keys(table as object))
  expect(names.toSorted()).toEqual(Object.keys(CALLS).toSorted())
})

test('every example is valid for its call', () => {
  for (const [name, { args, example }] of Object.entries(CALLS))
    expect(args.safeParse(example).success, name).toBe(true)
})
