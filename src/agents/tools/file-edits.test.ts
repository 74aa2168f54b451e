/** The exact edits of all agents' file tools, by the payloads that the real programs sent. */
import { describe, expect, test } from 'bun:test'
import { eventOf, fixtureLines, rawEvent } from '../../../test/kit.ts'
import { agentFor } from '../index.ts'
import { fileEdits } from './file-edits.ts'

function editsIn(file: string) {
  return fixtureLines(file).flatMap(({ agent, event, env, payload }) => {
    const raw = JSON.stringify(payload)
    const from = rawEvent({ agent, raw, event, client: { env } })
    return fileEdits(agentFor(agent).read(payload, from)).map(({ path, kind, ...rest }) => [path, kind, rest])
  })
}

const edits = (name: string, input: unknown, response?: unknown) =>
  fileEdits(eventOf({ type: 'PostToolUse', cwd: '/w', tool: { name, input, response } }))

describe('recorded calls', () => {
  test('of Claude Code tell the file before', () => {
    const found = editsIn('claude/2.0.77/old-basic.jsonl')
    expect(found).toContainEqual(['/home/dev/acme/b.txt', 'write', { original: null, content: 'one\n' }])
    expect(found).toContainEqual([
      '/home/dev/acme/a.txt',
      'edit',
      { pieces: [{ before: 'hello', after: 'bye' }], original: 'hello\nworld\n' },
    ])
  })

  test('of Codex and Copilot CLI are patches', () => {
    const [added, changed] = editsIn('codex/0.166.0/apply-patch.jsonl')
    expect(added).toEqual([
      '/home/dev/acme/new.txt',
      'write',
      { original: null, chunks: [{ lines: ['+added line'] }] },
    ])
    expect(changed).toEqual([
      '/home/dev/acme/hello.txt',
      'patch',
      { chunks: [{ lines: ['-hello from fixture', '+HELLO patched'] }] },
    ])
    expect(editsIn('copilot/1.0.102/copilot-basic.jsonl')).toContainEqual([
      '/home/dev/acme/new.txt',
      'write',
      { original: null, chunks: [{ lines: ['+x'] }] },
    ])
  })

  test('of Gemini CLI tell the file before and after', () => {
    expect(editsIn('gemini/0.61.0/basic.jsonl')).toEqual([
      ['/home/dev/acme/out.txt', 'write', { original: null, content: 'written by mock\n' }],
      [
        '/home/dev/acme/out.txt',
        'edit',
        {
          pieces: [{ before: 'mock', after: 'MOCK' }],
          original: 'written by mock\n',
          content: 'written by MOCK\n',
        },
      ],
    ])
  })

  test('of opencode tell whether the file was new', () => {
    const found = editsIn('opencode/1.18.33/opencode-basic.jsonl')
    expect(found).toContainEqual(['/home/dev/acme/new.txt', 'write', { original: null, content: 'x\n' }])
    expect(found).toContainEqual([
      '/home/dev/acme/hello.txt',
      'edit',
      { pieces: [{ before: 'hello', after: 'HELLO' }] },
    ])
  })
})

describe('other tools', () => {
  test('several edits, cells, inserted lines', () => {
    expect(
      edits('MultiEdit', {
        file_path: 'a',
        edits: [{ old_string: 'a', new_string: 'b', replace_all: true }, 7],
      }),
    ).toEqual([{ path: '/w/a', kind: 'edit', pieces: [{ before: 'a', after: 'b', all: true }] }])
    expect(edits('NotebookEdit', { notebook_path: '/n.ipynb', new_source: 'x', cell_id: '1' })).toEqual([
      { path: '/n.ipynb', kind: 'edit', pieces: [{ before: '', after: 'x' }], isCell: true },
    ])
    expect(
      edits('str_replace_editor', { command: 'str_replace', path: '/a', old_str: 'a', new_str: 'b' }),
    ).toEqual([{ path: '/a', kind: 'edit', pieces: [{ before: 'a', after: 'b' }] }])
    expect(
      edits('str_replace_editor', { command: 'insert', path: '/a', insert_line: 2, new_str: 'b' }),
    ).toEqual([{ path: '/a', kind: 'edit', insert: { line: 2, text: 'b' } }])
    expect(edits('str_replace_editor', { command: 'view', path: '/a' })).toEqual([])
    expect(edits('create', { path: '/a', file_text: 'x' })).toEqual([
      { path: '/a', kind: 'write', content: 'x' },
    ])
    expect(edits('Edit', { file_path: 'a', old_string: '', new_string: 'x' })[0]?.kind).toBe('write')
  })

  test('a call that failed, and input that is none, edit nothing', () => {
    const patch = '*** Begin Patch\n*** Delete File: a\n*** End Patch'
    expect(edits('apply_patch', { command: patch }, 'Exit code: 0\n')).toHaveLength(1)
    expect(edits('apply_patch', { command: patch }, 'Exit code: 1\nOutput: no')).toEqual([])
    expect(edits('apply_patch', patch, { resultType: 'failure' })).toEqual([])
    for (const input of [
      null,
      7,
      'x',
      [],
      {},
      { file_path: 7 },
      { file_path: '' },
      { file_path: 'a' },
      { file_path: 'a\0b', content: 'x' },
    ])
      expect(edits('Write', input)).toEqual([])
    expect(edits('Edit', { file_path: 'a', old_string: 1, new_string: 2 })[0]?.pieces).toEqual([])
    expect(edits('Bash', { command: 'echo > a', path: 'a' })).toEqual([])
  })
})
