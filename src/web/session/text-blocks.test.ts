import { expect, test } from 'bun:test'
import { blocksIn } from './text-blocks.ts'

test('fenced code is set apart, everything else stays text', () => {
  expect(blocksIn('Look:\n\n```ts\nconst a = 1\n\n```\nand <b>this</b>\n')).toEqual([
    { kind: 'text', text: 'Look:' },
    { kind: 'code', text: 'const a = 1\n', language: 'ts' },
    { kind: 'text', text: 'and <b>this</b>' },
  ])
})

test('a longer fence contains a shorter one, and an open one goes to the end', () => {
  expect(blocksIn('````md\n```\nx\n```\n````')).toEqual([
    { kind: 'code', text: '```\nx\n```', language: 'md' },
  ])
  expect(blocksIn('a\n~~~\nb')).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'code', text: 'b' },
  ])
  expect(blocksIn('')).toEqual([])
})
