import { expect, test } from 'bun:test'
import { redact } from '../../redaction/index.ts'
import { withSecrets } from './restore-secrets.ts'

const ONE = `gh${'p_16C7e42F292c6912E7710c838347Ae178B4a'}`
const TWO = `gh${'p_26C7e42F292c6912E7710c838347Ae178B4b'}`

/** What a handler is shown of an input. */
const shownOf = (input: object) => JSON.parse(redact(JSON.stringify(input)).text)
const restore = (sent: object, rewrite: (shown: string) => string) => {
  const shown = shownOf(sent)
  return withSecrets({ command: rewrite(shown.command) }, shown, sent)
}

test('a rewrite gets the secret back that its handler was not shown', () => {
  const sent = { command: `curl -H "Authorization: token ${ONE}" https://x.example`, timeout: 5 }
  expect(shownOf(sent).command).not.toContain(ONE)
  expect(restore(sent, (command) => `${command} --max-time 9`)).toEqual({
    command: `${sent.command} --max-time 9`,
  })
  expect(withSecrets({ file: { lines: ['a', '[redacted]'] } }, shownOf(sent), sent)).toEqual({
    file: { lines: ['a', ONE] },
  })
})

test('each of several secrets goes where it stood, in whatever order', () => {
  const sent = { command: `A_KEY=${ONE} B_KEY=${TWO} ./run` }
  const swapped = (command: string) => command.replace(/^(\S+) (\S+)/, '$2 $1')
  expect(restore(sent, (command) => `${command} -v`)).toEqual({ command: `${sent.command} -v` })
  expect(restore(sent, swapped)).toEqual({ command: `B_KEY=${TWO} A_KEY=${ONE} ./run` })
})

test('where it is not clear which secret is meant, there is no rewrite', () => {
  const sent = { command: `A_KEY=${ONE} B_KEY=${TWO} ./run` }
  expect(restore(sent, () => 'echo [redacted]')).toBeUndefined()
  expect(restore({ command: `echo "[redacted]" ${ONE}` }, (command) => `${command} | cat`)).toBeUndefined()
})

test('a rewrite without a mark stays what it is', () => {
  const input = { command: 'ls' }
  expect(withSecrets(input, { command: 'echo [redacted]' }, { command: `echo ${ONE}` })).toBe(input)
})

test('a secret that only the name of its member tells is given back, too', () => {
  const sent = { url: 'https://x.example', access_token: 'kXQpUhzkRE0BtHjgsieyPECp7Yw2LmVd' }
  const shown = shownOf(sent)
  expect(shown.access_token).toBe('[redacted]')
  expect(withSecrets({ ...shown, url: 'https://y.example' }, shown, sent)).toEqual({
    ...sent,
    url: 'https://y.example',
  })
})
