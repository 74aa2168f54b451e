/** Converts `[notify]` of gantry.toml to the notifier's settings. */
import { resolve } from 'node:path'
import { expandHome } from '../core/files/paths.ts'
import { secretOf } from '../core/files/secret-files.ts'
import type { NotifyConfig } from './config.ts'
import { CHANNELS, type NotifySettings, parseQuiet } from './index.ts'

export function notifySettings(config: NotifyConfig, configDir: string): NotifySettings {
  const secret = (path: string) =>
    path === '' ? undefined : secretOf({ secret: '', secret_file: path }, configDir)
  return {
    quiet: config.quiet.flatMap((span) => parseQuiet(span) ?? []),
    timeZone: config.time_zone,
    awayMs: config.away_s * 1000,
    channels: config.channels.map((one) => ({
      name: one.name,
      kind: one.kind,
      enabled: one.enabled && config.enabled,
      reasons: one.reasons,
      afterMs: one.after_s * 1000,
      cooldownMs: one.cooldown_s * 1000,
      maxPerMinute: one.max_per_minute,
      onlyUnfocused: one.only_unfocused,
      inQuietHours: one.in_quiet_hours,
      withWords: one.words === 'yes' || (one.words === 'auto' && !CHANNELS[one.kind].isRemote),
      timeoutMs: one.timeout_s * 1000,
      form: one.form,
      file: one.file === '' ? '' : resolve(configDir, expandHome(one.file)),
      player: one.player,
      topic: one.topic,
      chatId: one.chat_id,
      url: () => secret(one.url_file) ?? one.url,
      token: () => secret(one.token_file),
    })),
  }
}
