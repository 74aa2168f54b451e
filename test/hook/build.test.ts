/** What `npm install` does about the native client. */
import { afterAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../../src/core/version.ts'

const SCRIPT = join(import.meta.dir, '../../scripts/build-native.mjs')
const node = Bun.which('node') ?? 'node'
const room = mkdtempSync(join(tmpdir(), 'gantry-build-'))

afterAll(() => rmSync(room, { recursive: true, force: true }))

function build(args: string[], PATH = process.env.PATH ?? '') {
  const { exitCode, stdout, stderr } = Bun.spawnSync([node, SCRIPT, ...args], { env: { PATH } })
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

test('a build is silent, leaves one file, and that one runs', () => {
  const out = join(room, 'native/gantry-hook')
  expect(build(['--out', out])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  expect(readdirSync(join(room, 'native'))).toEqual(['gantry-hook'])
  expect(Bun.spawnSync([out, '--version']).stdout.toString()).toBe(`gantry-hook ${VERSION}\n`)
})

test('without a compiler there is a launcher of the TypeScript client, and one calm line', () => {
  const bin = join(room, 'launcher')
  const { exitCode, stdout, stderr } = build(['--out', join(bin, 'gantry-hook')], room)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toMatch(/^gantry: no C compiler found, .*\n$/)
  expect(readdirSync(bin)).toEqual(['gantry-hook'])

  writeFileSync(join(bin, 'gantry'), '#!/bin/sh\nprintf "[%s]" "$@"\nexit 7\n')
  chmodSync(join(bin, 'gantry'), 0o755)
  mkdirSync(join(room, 'links'))
  symlinkSync('../launcher/gantry-hook', join(room, 'links/one'))
  symlinkSync(join(room, 'links/one'), join(room, 'links/two'))
  const ran = Bun.spawnSync([join(room, 'links/two'), 'claude', 'Stop', '{"a": "b c"}'])
  expect(ran.stdout.toString()).toBe('[hook][claude][Stop][{"a": "b c"}]')
  expect(ran.exitCode).toBe(7)
})

test('an install goes on even where nothing can be written', () => {
  writeFileSync(join(room, 'file'), '')
  const { exitCode, stdout, stderr } = build(['--out', join(room, 'file/gantry-hook')])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toMatch(/^gantry: .* was not built .*\n$/)
})
