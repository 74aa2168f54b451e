/** Which files a call touches, and how, for each agent's tools. */
import { expect, test } from 'bun:test'
import { eventOf } from '../../../test/kit.ts'
import { touchedFiles } from './file-changes.ts'

function touched(name: string, input: unknown, response?: unknown, cwd: string | undefined = '/w') {
  const tool = { name, input, ...(response === undefined ? {} : { response }) }
  return touchedFiles(eventOf({ type: 'PostToolUse', tool, ...(cwd === undefined ? {} : { cwd }) }))
}

const PATCH = `*** Begin Patch
*** Add File: new.txt
+one
*** Update File: src/old.ts
@@
-a
+b
*** Delete File: gone.txt
*** Update File: before.ts
*** Move to: deep/after.ts
@@
-a
+b
*** End Patch`

test('a patch adds, changes, deletes and moves; a moved file is deleted at its old path', () => {
  const expected = [
    { path: '/w/new.txt', how: 'write', said: 'created' },
    { path: '/w/src/old.ts', how: 'edit' },
    { path: '/w/gone.txt', how: 'delete' },
    { path: '/w/before.ts', how: 'delete' },
    { path: '/w/deep/after.ts', how: 'write' },
  ] as const
  expect(touched('apply_patch', { command: PATCH })).toEqual([...expected])
  expect(touched('apply_patch', PATCH)).toEqual([...expected])
  expect(touched('patch', { patchText: PATCH })).toEqual([...expected])
  // Codex may give the words of a command line.
  expect(touched('apply_patch', { command: ['apply_patch', PATCH] })).toEqual([...expected])
  expect(touched('apply_patch', ['apply_patch', PATCH])).toEqual([...expected])
})

test('a move without a source and lines that only look like a file do not fail', () => {
  expect(touched('apply_patch', '*** Move to: b.txt')).toEqual([{ path: '/w/b.txt', how: 'write' }])
  expect(touched('apply_patch', { command: '+*** Delete File: a.txt' })).toEqual([])
  expect(touched('apply_patch', 7)).toEqual([])
})

test('write and edit tools by name; an edit of an empty text creates the file', () => {
  expect(touched('Write', { file_path: 'a' }, { type: 'create' })).toEqual([
    { path: '/w/a', how: 'write', said: 'created' },
  ])
  expect(touched('write_file', { file_path: '/a' }, { returnDisplay: { isNewFile: false } })).toEqual([
    { path: '/a', how: 'write', said: 'modified' },
  ])
  expect(touched('replace', { file_path: 'a', old_string: 'x' })).toEqual([{ path: '/w/a', how: 'edit' }])
  expect(touched('Edit', { file_path: 'a', old_string: '' })).toEqual([{ path: '/w/a', how: 'write' }])
  expect(touched('Bash', { command: 'rm a', path: 'a' })).toEqual([])
  expect(touched('Write', { file_path: 'a\0b' })).toEqual([])
})

test('a field that the tool does not have hides nothing', () => {
  const paths = (name: string, input: unknown) => touched(name, input).map(({ path }) => path)
  expect(paths('write', { file_path: 'a', absolute_path: 'b', path: 'c' })).toEqual(['/w/a', '/w/b', '/w/c'])
  expect(paths('edit', { file_path: '', filePath: 'b' })).toEqual(['/w/b'])
  expect(paths('Write', { file_path: 'a', path: 'a' })).toEqual(['/w/a'])
  expect(paths('apply_patch', { command: 'true', input: '*** Delete File: a' })).toEqual(['/w/a'])
})

test('tools of MCP servers by the names of their fields; a path in a repository on a server is none of this machine', () => {
  expect(touched('mcp__filesystem__write_file', { path: 'a', content: 'x' })).toEqual([
    { path: '/w/a', how: 'write' },
  ])
  expect(touched('mcp__filesystem__edit_file', { path: 'a', edits: [] })).toEqual([
    { path: '/w/a', how: 'write' },
  ])
  expect(touched('mcp__filesystem__move_file', { source: 'a', destination: 'b' })).toEqual([
    { path: '/w/a', how: 'delete' },
    { path: '/w/b', how: 'write' },
  ])
  expect(touched('mcp__disk__delete_file', { file_path: 'a' })).toEqual([{ path: '/w/a', how: 'delete' }])
  expect(touched('mcp__filesystem__read_file', { path: 'a' })).toEqual([])
  expect(touched('mcp__github__create_or_update_file', { repo: 'r', path: 'a', content: 'x' })).toEqual([])
  const isWritten = [{ path: '/w/a', how: 'write' as const }]
  for (const more of [{ repo: 'r' }, { url: '' }, { bucket: 'b' }, { uri: 'https://x.example/a' }])
    expect(touched('mcp__filesystem__write_file', { path: 'a', content: 'x', ...more })).toEqual(isWritten)
  expect(touched('mcp__github__create_or_update_file', { repo: 'r', path: '/w/a', content: 'x' })).toEqual(
    isWritten,
  )
  expect(touched('mcp__x__write_file', { paths: ['a', 5], content: 'x' })).toEqual(isWritten)
  expect(touched('mcp__x__write_file', { path: 'a', source: 'b', destination: 'c' })).toContainEqual({
    path: '/w/a',
    how: 'write',
  })
})
