/** What a session changed: by file and prompt, and whether the disk still has it. */
import { afterAll, describe, expect, test } from 'bun:test'
import { linkSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import type { ChangedFile, SessionChanges } from '../../client/index.ts'
import { newId } from '../../events/index.ts'
import { readEvent } from '../../journal/index.ts'
import { MARK } from '../../redaction/redact.ts'
import { openEventReader, openStore } from '../../store/index.ts'
import { changesOf } from './index.ts'

const dir = tempDir()
const cwd = join(dir, 'work')
mkdirSync(cwd)
const database = join(dir, 'gantry.db')
const store = openStore(database)
const reader = openEventReader(database)
afterAll(() => {
  reader.close()
  store.close()
})

let sessions = 0
let at = 1_000

/** A session of these hooks. */
function changed(agent: string, ...payloads: object[]): SessionChanges {
  const id = `s${++sessions}`
  store.journal.commit(() => {
    for (const payload of payloads) {
      const raw = JSON.stringify({ session_id: id, cwd, ...payload })
      const event = {
        id: newId(),
        at: ++at,
        receivedAt: at,
        agent,
        client: { env: {} },
        transport: 'socket',
        raw,
      } as const
      store.journal.append(readEvent(event))
    }
  })
  return changesOf(reader, { agent, id, cwd, root: dir })
}

const prompt = (text: string) => ({ hook_event_name: 'UserPromptSubmit', prompt: text })
const done = (tool_name: string, tool_input: unknown, tool_response: unknown = {}, more = {}) => ({
  hook_event_name: 'PostToolUse',
  tool_name,
  tool_input,
  tool_response,
  ...more,
})
const write = (path: string, content: string) =>
  done('Write', { file_path: path, content }, { type: 'create' })
const edit = (path: string, old_string: string, new_string: string, originalFile?: string) =>
  done(
    'Edit',
    { file_path: path, old_string, new_string },
    originalFile === undefined ? {} : { originalFile },
  )
const onDisk = (name: string, text: string) => {
  writeFileSync(join(cwd, name), text)
  return join(cwd, name)
}
const only = ({ files }: SessionChanges): ChangedFile => {
  expect(files).toHaveLength(1)
  return files[0] as ChangedFile
}

describe('the changes of a session', () => {
  test('are grouped by file and belong to prompts', () => {
    const a = onDisk('a.txt', 'one\nTWO\nthree\n')
    const { prompts, files, cut } = changed(
      'claude',
      prompt('nothing comes of it'),
      prompt('write it'),
      write(a, 'one\ntwo\n'),
      prompt('shout'),
      edit(a, 'two', 'TWO'),
      done(
        'Edit',
        { file_path: a, old_string: 'TWO\n', new_string: 'TWO\nthree\n' },
        {},
        { agent_id: 'sub' },
      ),
      write(join(cwd, 'b.txt'), 'b'),
    )
    expect(cut).toBe(false)
    expect(prompts.map(({ text }) => text)).toEqual(['write it', 'shout'])
    expect(files.map(({ rel }) => rel)).toEqual(['work/b.txt', 'work/a.txt'])
    const [b, file] = files
    expect(b?.disk).toBe('gone')
    expect(file).toMatchObject({ path: a, disk: 'same', created: true, added: 4, removed: 1 })
    expect(file?.edits.map(({ kind, promptSeq, agentId }) => [kind, promptSeq, agentId])).toEqual([
      ['write', prompts[0]?.seq, undefined],
      ['edit', prompts[1]?.seq, undefined],
      ['edit', prompts[1]?.seq, 'sub'],
    ])
    expect(file?.edits[1]).toMatchObject({
      before: 'two',
      after: 'TWO',
      hunks: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' one', '-two', '+TWO'] }],
    })
    expect(file?.net).toEqual([
      { oldStart: 0, oldLines: 0, newStart: 1, newLines: 3, lines: ['+one', '+TWO', '+three'] },
    ])
  })

  test('know the disk by the file before, which Claude Code reports', () => {
    const path = onDisk('c.txt', 'x\nb\ny\n')
    const file = only(changed('claude', edit(path, 'a', 'b', 'x\na\ny\n')))
    expect(file).toMatchObject({ disk: 'same', added: 1, removed: 1, created: false })
    onDisk('c.txt', 'x\nb\ny, and more\n')
    expect(only(changed('claude', edit(path, 'a', 'b', 'x\na\ny\n'))).disk).toBe('changed')
  })

  test('know it by the pieces where the file is not known: patches of Codex, edits of opencode', () => {
    const path = onDisk('d.txt', 'x\nNEW\nafter\nz\n')
    const patch = (name: string) =>
      `*** Begin Patch\n*** Update File: ${name}\n@@\n x\n-old\n+new\n after\n*** End Patch\n`
    const shout = `*** Begin Patch\n*** Update File: d.txt\n@@\n-new\n+NEW\n*** End Patch\n`
    const both = [done('apply_patch', { command: patch('d.txt') }), done('apply_patch', { command: shout })]
    const file = only(changed('codex', ...both))
    expect(file).toMatchObject({ disk: 'same', added: 2, removed: 2 })
    expect(file.edits[0]?.hunks?.[0]).toMatchObject({ oldStart: 0, lines: [' x', '-old', '+new', ' after'] })
    onDisk('d.txt', 'x\nother\nafter\nz\n')
    expect(only(changed('codex', ...both)).disk).toBe('changed')
    expect(path).toContain('d.txt')
  })

  test('follow a file that is added, moved and deleted', () => {
    onDisk('moved.txt', 'b\n')
    const patch = (...lines: string[]) =>
      done('apply_patch', { command: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') })
    const { files } = changed(
      'codex',
      patch('*** Add File: first.txt', '+a'),
      patch('*** Update File: first.txt', '*** Move to: moved.txt', '@@', '-a', '+b'),
      patch('*** Add File: short.txt', '+a'),
      patch('*** Delete File: short.txt'),
    )
    expect(files.map(({ rel, disk, added, removed }) => [rel, disk, added, removed])).toEqual([
      ['work/short.txt', 'same', 1, 1],
      ['work/first.txt', 'same', 1, 1],
      ['work/moved.txt', 'same', 1, 1],
    ])
    expect(files[2]?.edits[0]?.movedFrom).toBe(join(cwd, 'first.txt'))
  })

  test('of calls that failed or only read are none', () => {
    const failed = {
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'Write',
      tool_input: { file_path: '/x', content: '' },
    }
    const { files, prompts } = changed(
      'claude',
      prompt('try'),
      failed,
      done('Read', { file_path: '/x' }),
      done('Bash', { command: 'x' }),
    )
    expect({ files, prompts }).toEqual({ files: [], prompts: [] })
  })
})

describe('secrets', () => {
  test('that were redacted stay so, and nobody claims that the file was changed', () => {
    const path = onDisk('secret.env', 'TOKEN=abc\n')
    const file = only(changed('claude', write(path, `TOKEN=${MARK}\n`)))
    expect(file.disk).toBe('unknown')
    expect(JSON.stringify(file)).not.toContain('abc')
    const piece = only(changed('claude', edit(path, 'a', `TOKEN=${MARK}`)))
    expect(piece.disk).toBe('unknown')
  })
})

describe('hostile paths', () => {
  const state = (path: string, content = 'x') => only(changed('claude', write(path, content))).disk

  test('a link out of the folders is not followed, one inside is', () => {
    const outside = tempDir()
    writeFileSync(join(outside, 'other.txt'), 'x')
    symlinkSync(join(outside, 'other.txt'), join(cwd, 'link'))
    symlinkSync(outside, join(cwd, 'folder'))
    expect(state(join(cwd, 'link'))).toBe('unknown')
    expect(state(join(cwd, 'folder/other.txt'))).toBe('unknown')
    onDisk('real.txt', 'x')
    symlinkSync(join(cwd, 'real.txt'), join(cwd, 'near'))
    expect(state(join(cwd, 'near'))).toBe('same')
    expect(state(join(outside, 'other.txt'))).toBe('same') // the session itself wrote this one
    rmSync(join(cwd, 'folder'))
  })

  test('pipes, folders, devices, large files and endless links are not read', () => {
    Bun.spawnSync(['mkfifo', join(cwd, 'pipe')])
    symlinkSync(join(cwd, 'loop'), join(cwd, 'loop'))
    onDisk('large', '')
    truncateSync(join(cwd, 'large'), 100 * 1024 * 1024)
    linkSync(join(cwd, 'large'), join(cwd, 'large-2'))
    for (const path of ['pipe', 'loop', 'large', 'large-2', '.'])
      expect([path, state(join(cwd, path))]).toEqual([path, 'unknown'])
    for (const path of ['/dev/zero', '/proc/self/mem', '/proc/self/environ', '/sys/kernel/notes'])
      expect([path, state(path)]).toEqual([path, 'unknown'])
    expect(state(`${cwd}/${'a'.repeat(5_000)}`.slice(0, 4_090))).not.toBe('changed')
  })

  test('a replay never looks at the disk', () => {
    const path = onDisk('here.txt', 'x')
    changed('claude', write(path, 'x'))
    expect(only(changesOf(reader, { agent: 'claude', id: `s${sessions}`, cwd, replayed: true })).disk).toBe(
      'unknown',
    )
  })
})

describe('a long session', () => {
  test('keeps its newest texts and says that others are left out', () => {
    const path = onDisk('long.txt', '')
    const many = Array.from({ length: 3_100 }, (_, n) => write(path, `${n}\n`))
    const { files, cut } = changed('claude', ...many)
    const [file] = files
    expect(cut).toBe(true)
    expect(file?.edits).toHaveLength(3_100)
    expect(file?.edits[0]?.hunks).toBeUndefined()
    expect(file?.edits.at(-1)?.hunks).toBeDefined()
    expect(file?.added).toBe(3_100)
  })

  test('a file that is too large to be kept is not said to be changed', () => {
    const path = onDisk('big.txt', 'y')
    expect(only(changed('claude', write(path, 'x'.repeat(3_000_000)))).disk).toBe('unknown')
  })
})
