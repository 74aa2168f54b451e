/** What a person decides in the page, without a browser: real held hooks, and everything that must not answer them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { proofOver } from '../../src/client/approvals.ts'
import { approvalKey, call } from '../../src/client/index.ts'
import { hold, list, permission, waiting } from '../daemon/approval-kit.ts'
import { gantry, makeHome, ROOT, type RunningDaemon, run, sendFrame, startDaemon, until } from '../kit.ts'
import { type BrowserKey, browserKey, post, signIn } from './page-kit.ts'

const at = makeHome()
let daemon: RunningDaemon
let cookie = ''
let key: BrowserKey
let device = ''

interface Told {
  readonly ok: boolean
  readonly error?: string
  readonly message?: string
  readonly data?: { readonly device: string; readonly code?: string; readonly allowed: boolean }
}

const say = async (path: string, body: object): Promise<Told & { status: number }> => {
  const got = await post(at, cookie, path, body)
  return { status: got.status, ...(JSON.parse(got.text) as Told) }
}
const propose = async (one: BrowserKey, label = 'Firefox on Linux') =>
  (await say('/api/device', { publicKey: one.publicKey, label })).data

beforeAll(async () => {
  daemon = await startDaemon(at)
  cookie = await signIn(at)
  key = await browserKey()
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

/** The body of an answer, signed by the key, with what the test wants otherwise. */
async function answer(
  asked: { readonly id: string; readonly nonce: string },
  {
    by = key,
    as = device,
    ...more
  }: { by?: BrowserKey; as?: string; decision?: string; message?: string } = {},
): Promise<Record<string, string>> {
  const said = { id: asked.id, nonce: asked.nonce, decision: 'allow', ...more }
  const signed = ['approval', said.id, said.nonce, said.decision, more.message ?? '']
  return { ...said, device: as, signature: await by.sign(signed) }
}

describe('letting a browser in', () => {
  test('by the code it shows, typed into a terminal', async () => {
    const asked = await propose(key)
    expect(asked).toEqual({
      device: expect.any(String),
      code: expect.stringMatching(/^\d{6}$/),
      allowed: false,
    })
    device = asked?.device ?? ''
    const inside = await run([join(ROOT, 'bin/gantry'), 'web', 'allow', asked?.code ?? ''], at, '', {
      CLAUDECODE: '1',
    })
    expect(inside.stderr).toContain('inside an agent')
    expect(call(at, 'web.allow', { code: asked?.code ?? '', proof: 'x' })).rejects.toThrow('approval key')
    expect((await propose(key))?.allowed).toBe(false)
    const { stdout } = await gantry(at, 'web', 'allow', asked?.code ?? '')
    expect(stdout).toContain('Allowed Firefox on Linux')
    expect(await propose(key)).toEqual({ device, allowed: true })
    expect((await gantry(at, 'web', 'devices')).stdout).toContain(`${device}  Firefox on Linux`)
    expect(statSync(at.pageDevices).mode & 0o777).toBe(0o600)
  })

  test('codes are void after five wrong ones', async () => {
    const other = await browserKey()
    const code = (await propose(other))?.code ?? ''
    const proofFor = (one: string) => proofOver(approvalKey(at), ['device', one])
    const wrong = code === '000000' ? '111111' : '000000'
    for (let n = 0; n < 5; n++)
      expect(call(at, 'web.allow', { code: wrong, proof: proofFor(wrong) })).rejects.toThrow(
        'No browser shows',
      )
    expect(call(at, 'web.allow', { code, proof: proofFor(code) })).rejects.toThrow('No browser shows')
    expect((await call(at, 'web.devices')).length).toBe(1)
  })

  test('nonsense is refused', async () => {
    for (const body of [
      {},
      { publicKey: '' },
      { publicKey: 'x', label: 'x' },
      { publicKey: 7 },
      { publicKey: key.publicKey, more: 1 },
    ])
      expect((await say('/api/device', body)).status).toBe(400)
  })
})

describe('answers', () => {
  test('a signed one is the verdict, from this page', async () => {
    const hook = hold(at, permission('echo yes'))
    const [asked] = await waiting(at)
    if (!asked) throw new Error('nobody waits')
    expect(await say('/api/answer', await answer(asked))).toMatchObject({ status: 200, ok: true })
    expect((await hook.reply).stdout).toContain('"behavior":"allow"')
    hook.kill()
    const over = await say('/api/answer', await answer(asked))
    expect(over.message).toContain('from page (Firefox on Linux)')
    expect(over.ok).toBe(false)
  })

  test('a denial with its message reaches the agent', async () => {
    const hook = hold(at, permission('echo no', 's2'))
    const [asked] = await waiting(at)
    if (!asked) throw new Error('nobody waits')
    const message = 'Use the staging database. ☃'
    expect((await say('/api/answer', await answer(asked, { decision: 'deny', message }))).ok).toBe(true)
    const { stdout } = await hook.reply
    expect(stdout).toContain(message)
    hook.kill()
  })

  test('nothing else answers', async () => {
    const hook = hold(at, permission('rm -rf /', 's3'))
    const [asked] = await waiting(at)
    if (!asked) throw new Error('nobody waits')
    const thief = await browserKey()
    const proposed = (await propose(thief, 'thief'))?.device ?? ''
    const good = await answer(asked)
    const { signature: _, ...unsigned } = good
    const refused: Record<string, object> = {
      'the cookie alone': unsigned,
      'no signature': { ...good, signature: '' },
      'a foreign key': await answer(asked, { by: thief }),
      'a browser that was not let in': await answer(asked, { by: thief, as: proposed }),
      'a device that does not exist': { ...good, device: 'f'.repeat(16) },
      'another decision than the signed one': {
        ...(await answer(asked, { decision: 'deny' })),
        decision: 'allow',
      },
      'another message than the signed one': { ...good, message: 'x' },
      'another question than the signed one': await answer({ ...asked, id: 'other' }).then((one) => ({
        ...one,
        id: asked.id,
      })),
      'the nonce of another question': { ...good, nonce: 'x' },
      'an old answer again': await answer({ ...asked, nonce: 'of-an-earlier-question' }),
    }
    for (const [what, body] of Object.entries(refused)) {
      const told = await say('/api/answer', body)
      expect({ what, ok: told.ok }).toEqual({ what, ok: false })
    }
    const call = { cmd: 'approvals.answer', args: { ...unsigned, via: 'page', proof: 'x' } }
    expect((await say('/api/call', call)).status).toBe(403)
    expect((await list(at)).approvals.map(({ id }) => id)).toEqual([asked.id])
    expect((await post(at, '', '/api/answer', good)).status).toBe(401)
    expect((await post(at, cookie, '/api/answer', good, { origin: 'http://evil.example' })).status).toBe(403)
    expect((await list(at)).approvals.length).toBe(1)
    await gantry(at, 'deny', asked.id)
    await hook.reply
    hook.kill()
  })

  test('a revoked browser does not answer any more', async () => {
    const hook = hold(at, permission('echo later', 's4'))
    const [asked] = await waiting(at)
    if (!asked) throw new Error('nobody waits')
    expect((await gantry(at, 'web', 'revoke', device.slice(0, 6))).stdout).toContain(
      'may not answer any more',
    )
    expect(await say('/api/answer', await answer(asked))).toMatchObject({
      status: 403,
      error: 'DEVICE_NOT_ALLOWED',
    })
    expect((await list(at)).approvals.length).toBe(1)
    await gantry(at, 'deny', asked.id)
    await hook.reply
    hook.kill()
    const code = (await propose(key))?.code ?? ''
    expect((await gantry(at, 'web', 'allow', code)).exit).toBe(0)
  })
})

test('a budget is raised by a signature, and by nothing else', async () => {
  const home = makeHome('[[budgets]]\nid = "few"\nper = "session"\ntool_calls = 5\n')
  await using _daemon = await startDaemon(home)
  let mine = await signIn(home)
  const send = async (path: string, body: object) =>
    JSON.parse((await post(home, mine, path, body)).text) as Told
  const asked = await send('/api/device', { publicKey: key.publicKey, label: 'me' })
  expect((await gantry(home, 'web', 'allow', asked.data?.code ?? '')).exit).toBe(0)
  for (const hook_event_name of ['PreToolUse', 'PostToolUse']) {
    const tool = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'u1' }
    const payload = JSON.stringify({ hook_event_name, session_id: 's1', cwd: '/', ...tool })
    await sendFrame(home, { event: hook_event_name, payload })
  }
  const limit = async () => (await call(home, 'budgets.list'))[0]?.uses[0]?.caps[0]?.limit
  await until(limit, 'a use of the budget')
  const raised = { id: 'few', scope: 'claude:s1', cap: 'tool_calls', limit: 50 }
  const device = asked.data?.device ?? ''
  const newNonce = async () => {
    const { data } = (await send('/api/nonce', {})) as unknown as { data: { nonce: string } }
    return data.nonce
  }
  /** Signed for one nonce, sent with it or with another. */
  const proved = async (limit: number, nonce: string, sent = nonce) => {
    const signature = await key.sign(['budget', 'few', 'claude:s1', 'tool_calls', limit, nonce])
    return { ...raised, limit, nonce: sent, device, signature }
  }
  const good = await proved(50, await newNonce())
  const refused: Record<string, [object, string]> = {
    'another limit than the signed one': [{ ...good, limit: 500 }, 'PERMISSION'],
    'a device that does not exist': [{ ...good, device: 'x' }, 'DEVICE_NOT_ALLOWED'],
    'the cookie alone': [{ ...raised, nonce: good.nonce }, 'VALIDATION_ERROR'],
    'no nonce': [{ ...good, nonce: undefined }, 'VALIDATION_ERROR'],
    'a nonce that nobody gave': [await proved(50, 'mine'), 'NONCE_USED'],
    'another nonce than the signed one': [await proved(50, 'mine', good.nonce), 'PERMISSION'],
  }
  for (const [what, [body, error]] of Object.entries(refused))
    expect((await send('/api/raise', body)).error, what).toBe(error)
  expect((await send('/api/call', { cmd: 'budgets.raise', args: { ...raised, proof: 'x' } })).error).toBe(
    'PERMISSION',
  )
  expect(await limit()).toBe(5)
  expect((await send('/api/raise', good)).ok).toBe(true) // no refusal has used it up
  expect(await limit()).toBe(50)
  const answers = await Promise.all([send('/api/raise', good), send('/api/raise', good)])
  expect(answers.map(({ error }) => error)).toEqual(['NONCE_USED', 'NONCE_USED'])
  const late = await proved(60, await newNonce())
  await gantry(home, 'web', 'sign-out')
  mine = await signIn(home)
  expect((await send('/api/raise', late)).error).toBe('NONCE_USED')
  expect(await limit()).toBe(50)
})

test('the approval key is in no answer', async () => {
  const secret = readFileSync(at.approvalKey, 'utf8').trim()
  for (const cmd of ['status', 'config.show', 'approvals.list', 'web.devices', 'doctor'])
    expect((await post(at, cookie, '/api/call', { cmd })).text).not.toContain(secret)
})
