import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../test/kit.ts'
import { parseConfig } from '../daemon/config/file.ts'
import { notifySettings } from './from-config.ts'

const parse = async (text: string) => parseConfig(text, 'gantry.toml')
const channel = (text: string) => `[[notify.channels]]\nname = "a"\n${text}`

describe('[notify]', () => {
  test('sends nothing by default', async () => {
    const { notify } = await parse('')
    expect(notifySettings(notify, '/c').channels).toEqual([])
  })

  test('gives a channel its defaults', async () => {
    const { notify } = await parse(`[notify]\nquiet = "22:00-07:00"\n${channel('kind = "desktop"')}`)
    const settings = notifySettings(notify, '/c')
    expect(settings.quiet).toEqual([{ from: 1320, to: 420 }])
    expect(settings.channels[0]).toMatchObject({
      kind: 'desktop',
      enabled: true,
      afterMs: 1_000,
      cooldownMs: 20_000,
      onlyUnfocused: true,
      withWords: true,
    })
    const { notify: remote } = await parse(channel('kind = "ntfy"\ntopic = "t"'))
    expect(notifySettings(remote, '/c').channels[0]?.withWords).toBe(false)
  })

  test('reads secrets from files for every message', async () => {
    const dir = tempDir()
    const file = 'kind = "telegram"\ntoken_file = "tg"\nchat_id = 42'
    const { notify } = await parse(channel(file))
    const [one] = notifySettings(notify, dir).channels
    expect(one?.chatId).toBe('42')
    expect(() => one?.token()).toThrow('cannot be read')
    writeFileSync(join(dir, 'tg'), ' 7:abc\n', { mode: 0o600 })
    expect(one?.token()).toBe('7:abc')
    writeFileSync(join(dir, 'tg'), '7:def')
    expect(one?.token()).toBe('7:def')
  })

  test('disabled is off for every channel', async () => {
    const { notify } = await parse(`[notify]\nenabled = false\n${channel('kind = "bell"')}`)
    expect(notifySettings(notify, '/c').channels[0]?.enabled).toBe(false)
  })

  const mistakes: [string, string][] = [
    ['kind = "pigeon"', 'gantry.toml:3: notify.channels.0.kind'],
    ['kind = "ntfy"', 'notify.channels.0.topic: needed for ntfy'],
    ['kind = "telegram"\nchat_id = "1"', 'notify.channels.0.token_file: needed for telegram'],
    ['kind = "slack"', 'notify.channels.0.url: needed for slack, or url_file'],
    ['kind = "sound"', 'notify.channels.0.file: needed for sound'],
    ['kind = "webhook"\nurl = "http://example.com/x"', 'gantry.toml:4: notify.channels.0.url: plain http'],
    ['kind = "bell"\nreasons = ["boredom"]', 'gantry.toml:4: notify.channels.0.reasons'],
    ['kind = "bell"\ntoken = "secret"', 'notify.channels.0.token: no such key'],
    ['kind = "bell"\n[[notify.channels]]\nname = "a"\nkind = "bell"', 'two channels have the name a'],
  ]
  for (const [text, says] of mistakes)
    test(`says what is wrong with: ${text.replaceAll('\n', ', ')}`, async () => {
      await expect(parse(channel(text))).rejects.toThrow(says)
    })

  test('names an invalid span or zone', async () => {
    await expect(parse('[notify]\nquiet = "all night"')).rejects.toThrow(
      'gantry.toml:2: notify.quiet: "all night"',
    )
    await expect(parse('[notify]\ntime_zone = "Mars/Phobos"')).rejects.toThrow('notify.time_zone: not known')
  })
})
