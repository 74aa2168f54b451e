import { expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { tempDir } from '../../test/kit.ts'
import { places } from '../core/files/paths.ts'
import { newId } from '../events/ids.ts'
import { countLosses, LOSS_HEADER, lossesOf } from './losses.ts'

test('an empty file of losses is at least one: the disk had no room for its record', () => {
  const at = places({}, tempDir())
  mkdirSync(at.state, { recursive: true })
  expect(lossesOf(at)).toBeUndefined()
  writeFileSync(at.lost, '')
  expect(lossesOf(at)).toMatchObject({ count: 1, isFull: true, reasons: ['disk full'] })
  expect(countLosses(at)).toBe(1)
  writeFileSync(at.lost, LOSS_HEADER)
  expect(countLosses(at)).toBe(0)
  appendFileSync(at.lost, `${newId()} claude           disk full          \n`)
  expect(lossesOf(at)).toMatchObject({ count: 1, isFull: false })
})
