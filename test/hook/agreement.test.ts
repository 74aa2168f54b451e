/** Both clients side by side, where their answer is a matter of bytes rather than of a rule one could write down. */
import { expect, test } from 'bun:test'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { SPOOL_FOLDER_BYTES, SPOOL_FRAMES } from '../../src/client/spool.ts'
import { ENV_ALLOW_LIST } from '../../src/client/wire.ts'
import { rounds } from '../long.ts'
import { randomFrom } from '../random.ts'
import { CLIENTS, NATIVE, openBox, parseFrame, TWIN, useClients } from './clients.ts'
import { expectLoss } from './expectations.ts'
import { listen } from './fake-daemon.ts'

useClients()

/** Bytes that are likely to be wrong: pieces of characters, some whole, some not, and anything at all. */
function wildValue(random: () => number): string {
  const pieces = [
    '\\303\\251',
    '\\342\\202\\254',
    '\\360\\237\\230\\200',
    '\\355\\240\\275',
    '\\300\\200',
    '\\364\\220',
  ]
  const count = random() < 0.1 ? 700 : Math.floor(random() * 40)
  return Array.from({ length: count }, () => {
    if (random() < 0.5) return pieces[Math.floor(random() * pieces.length)]
    const byte = 1 + Math.floor(random() * 255)
    return `\\${byte.toString(8).padStart(3, '0')}`
  }).join('')
}

test('all clients make the same header of the same environment', async () => {
  const boxes = CLIENTS.map(openBox)
  const random = randomFrom(7)
  for (let round = 0; round < rounds(3, 100); round++) {
    const names = [...ENV_ALLOW_LIST.filter(() => random() < 0.5), 'TMUX', 'TMUX_PANE']
    const exports = names.map((name) => `export ${name}="$(printf '${wildValue(random)}')"`)
    const through = `${exports.join('\n')}\nexec "$@"`
    const headers = await Promise.all(
      boxes.map(async (box) => {
        using daemon = listen(box.socket, (talk) => talk.say('0 0 0\n'))
        await box.run(['claude', 'Stop'], { through })
        return daemon.talks[0]?.text.replace(/"id":.*?"ppid":\d+/, '').replace(box.root, '')
      }),
    )
    expect(headers[0]).toContain('"env":{')
    expect(headers).toEqual(headers.map(() => headers[0]))
  }
})

test('a spool that nobody empties stops growing, and takes frames again once it is emptied', async () => {
  const native = openBox(NATIVE)
  const twin = openBox(TWIN)
  const env = { GANTRY_HOME: native.home, GANTRY_NO_AUTOSTART: '1' }
  const folder = native.spoolFolder
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Long names fill the folder itself fast; tmpfs counts entries alone and takes more of them.
  const name = (i: number) => join(folder, `${'x'.repeat(200)}${i}`)
  // All are names of one file: the client counts names, and a link is made in a third of the time of a file.
  let count = 0
  fs.writeFileSync(name(count++), '')
  while (count <= SPOOL_FRAMES || fs.statSync(folder).size <= SPOOL_FOLDER_BYTES)
    fs.linkSync(name(0), name(count++))
  for (const box of [native, twin]) {
    const outcome = await box.run(['claude', 'Stop'], { env })
    expectLoss(outcome, 'too many events wait already', 'Start the daemon with: gantry up')
  }
  expect(fs.readdirSync(folder)).toHaveLength(count)

  while (count > 0) fs.unlinkSync(name(--count))
  for (const box of [native, twin]) await box.run(['claude', 'Stop'], { env })
  const frames = fs.readdirSync(folder).map((file) => parseFrame(fs.readFileSync(join(folder, file))))
  expect(frames.map((frame) => frame.payload.toString())).toEqual(['{}', '{}'])
})
