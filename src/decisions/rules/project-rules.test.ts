import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, silentLog, tempDir, until } from '../../../test/kit.ts'
import { Policy } from './index.ts'
import {
  type ProjectFiles,
  parseProject,
  proofOf,
  readProject,
  readTrusted,
  stateOf,
  trustFile,
  trustIn,
  trustText,
} from './project-rules.ts'
import { loadPolicy, RuleFiles } from './rule-files.ts'

const key = () => 'key'
const DENY = 'rules: [{ id: no-rm, on: PreToolUse, when: { program: rm }, then: { deny: no } }]\n'

function project(text = DENY) {
  const root = tempDir()
  const dir = join(root, '.gantry/rules')
  mkdirSync(dir, { recursive: true, mode: 0o755 })
  mkdirSync(join(root, '.git'))
  const file = join(dir, 'a.yaml')
  writeFileSync(file, text, { mode: 0o644 })
  const rules = join(tempDir(), 'rules')
  mkdirSync(rules)
  const trust = (proof?: string) => {
    const hash = readProject(root)?.hash ?? ''
    writeFileSync(
      trustFile(rules),
      JSON.stringify([{ root, hash, proof: proof ?? proofOf('key', root, hash) }]),
    )
  }
  const state = async () => {
    const found = stateOf(root, readTrusted(rules, key))
    return found?.state === 'refused' ? found.why : found?.state
  }
  const parse = async () => parseProject(readProject(root) as ProjectFiles)
  return { root, dir, file, rules, trust, state, parse }
}

const rm = (cwd: string) =>
  eventOf({ type: 'PreToolUse', cwd, tool: { name: 'Bash', input: { command: 'rm x' } } })
const decided = (policy: Policy, cwd: string) => policy.decide(rm(cwd), 0).verdict

describe('rules of a project', () => {
  test('apply in its folders, once they are trusted', async () => {
    const { root, rules, trust, state } = project()
    expect(await state()).toBe('untrusted')
    expect(decided(await loadPolicy(rules, key), root).decision).toBe('none')
    trust()
    expect(await state()).toBe('trusted')
    const policy = await loadPolicy(rules, key)
    expect(decided(policy, root)).toEqual({ decision: 'deny', by: 'project:no-rm', reason: 'no' })
    expect(decided(policy, join(root, 'src/a')).decision).toBe('deny')
    expect(decided(policy, `${root}2`).decision).toBe('none')
  })

  test('do not apply after one byte has changed, or where the trust is not proved', async () => {
    const { root, file, rules, trust, state } = project()
    trust('forged')
    expect(await state()).toBe('untrusted')
    expect(decided(await loadPolicy(rules, key), root).decision).toBe('none')
    trust()
    writeFileSync(file, `${DENY}\n`)
    expect(await state()).toBe('changed')
    expect(decided(await loadPolicy(rules, key), root).decision).toBe('none')
  })

  test('stay in force as they were trusted, whatever becomes of the files', async () => {
    const { root, dir, file, rules, state } = project()
    const files = readProject(root)
    if (!files) throw new Error('no rules')
    const trust = (text: string) => writeFileSync(trustFile(rules), text)
    const trusted = trustText([trustIn(files, proofOf('key', root, files.hash))])
    trust(trusted)
    const says = async () => (await loadPolicy(rules, key)).decide(rm(root), 0).verdict.reason
    expect([await state(), await says()]).toEqual(['trusted', 'no'])
    writeFileSync(file, DENY.replace('deny: no', 'deny: new'))
    expect([await state(), await says()]).toEqual(['changed', 'no'])
    writeFileSync(file, 'rules: [')
    expect(await says()).toBe('no')
    rmSync(dir, { recursive: true })
    expect([await state(), await says()]).toEqual(['changed', 'no'])
    trust(trusted.replace('deny: no', 'deny: forged'))
    expect([await state(), await says()]).toEqual([undefined, undefined])
    trust('[]')
    expect([await state(), await says()]).toEqual([undefined, undefined])
  })

  test('that are too long to be kept apply as they stand, and never fill the file of trust', () => {
    const long = { path: '/r/.gantry/rules/a.yaml', text: '#'.repeat(200 * 1024) }
    const one = (n: number) => trustIn({ root: `/r${n}`, hash: 'h', files: [long] }, 'p')
    const text = trustText(Array.from({ length: 40 }, (_, n) => one(n)))
    expect(text.length).toBeLessThanOrEqual(4 * 1024 * 1024)
    const kept = (JSON.parse(text) as { files?: unknown }[]).map(({ files }) => files !== undefined)
    expect([kept[0], kept.at(-1), kept.length]).toEqual([false, true, 40])
    expect(trustIn({ root: '/r', hash: 'h', files: [long, long] }, 'p').files).toBeUndefined()
  })

  test('are loaded again when they change, and when they come back', async () => {
    const { root, dir, rules, trust } = project()
    trust()
    const policy = new Policy()
    const files = new RuleFiles(rules, policy, silentLog(), key)
    await files.load()
    try {
      expect(policy.projects.size).toBe(1)
      renameSync(dir, join(root, '.gantry/away'))
      writeFileSync(join(root, '.gantry/away/a.yaml'), DENY)
      await until(() => policy.projects.size === 0, 'they are gone')
      renameSync(join(root, '.gantry/away'), dir)
      await until(() => policy.projects.size === 1, 'they are back')
    } finally {
      files.close()
    }
  })

  test('only tighten: an allow and a rewrite are refused, with the line', async () => {
    const allow = project(
      'rules:\n  - id: a\n    on: Stop\n  - id: b\n    on: PreToolUse\n    then: { allow: true }\n',
    )
    await expect(allow.parse()).rejects.toThrow(
      `${allow.file}:4: rules.1: rule "b" approves. Rules of a project may only`,
    )
    const rewrite = project('rules: [{ id: a, on: PreToolUse, input: { command: ls } }]')
    await expect(rewrite.parse()).rejects.toThrow('rule "a" rewrites')
    rewrite.trust() // a person can only do that by other means than gantry
    expect(decided(await loadPolicy(rewrite.rules, key), rewrite.root).decision).toBe('none')
  })

  test('never loosen what the owner says: a deny stays a deny, and an ask becomes a deny', async () => {
    const { root, rules, trust } = project(
      'rules: [{ id: p, on: PreToolUse, priority: 0, then: { ask: sure? } }]',
    )
    trust()
    const own = (decision: string) =>
      writeFileSync(join(rules, 'own.yaml'), `rules: [{ id: own, on: PreToolUse, decision: ${decision} }]`)
    const say = async () => decided(await loadPolicy(rules, key), root)
    own('deny')
    expect(await say()).toMatchObject({ decision: 'deny', by: 'own' })
    own('allow')
    expect(await say()).toMatchObject({ decision: 'ask', by: 'project:p' })
    const stricter = project()
    stricter.trust()
    writeFileSync(join(stricter.rules, 'own.yaml'), 'rules: [{ id: own, on: PreToolUse, decision: ask }]')
    expect(decided(await loadPolicy(stricter.rules, key), stricter.root)).toMatchObject({
      decision: 'deny',
      by: 'project:no-rm',
    })
  })

  const odd: [string, string, (of: ReturnType<typeof project>) => void][] = [
    [
      'a file that is a link',
      'a.yaml is not read: it is a symbolic link',
      ({ dir, file }) => {
        renameSync(file, join(dir, 'b'))
        symlinkSync('b', file)
      },
    ],
    [
      'a folder that is a link',
      'rules is not read: it is a symbolic link',
      ({ root, dir }) => {
        renameSync(dir, join(root, 'elsewhere'))
        symlinkSync('../elsewhere', dir)
      },
    ],
    ['a file that everybody may write', 'every user may write to it', ({ file }) => chmodSync(file, 0o666)],
    ['a huge file', 'larger than 256 KB', ({ file }) => writeFileSync(file, `#${'x'.repeat(256 * 1024)}`)],
    [
      'a folder for a file',
      'it is not a file',
      ({ file }) => {
        rmSync(file)
        mkdirSync(file)
      },
    ],
    [
      'too many files',
      'at most 50 are read',
      ({ dir }) => {
        for (let i = 0; i < 50; i++) writeFileSync(join(dir, `${i}.yaml`), '')
      },
    ],
  ]
  for (const [what, why, make] of odd)
    test(`${what} is refused`, async () => {
      const made = project()
      made.trust()
      make(made)
      expect(await made.state()).toContain(why)
      expect(decided(await loadPolicy(made.rules, key), made.root).decision).toBe('none')
    })
})
