/** The table `[nats]` of gantry.toml. */
import { z } from 'zod'

export const natsSchema = () =>
  z.strictObject({
    mode: z
      .enum(['auto', 'off', 'managed', 'external'])
      .default('auto')
      .describe(
        'auto: the server of `nats.url` if there is one, else a nats-server of its own if one is found. GANTRY_NATS overrides it',
      ),
    url: z
      .string()
      .default('')
      .describe('Server or cluster to use, parted by commas. COOP_NATS_URL or BD_NATS_URL override it'),
    server: z.string().default('').describe('Path of the nats-server to run; empty looks for one on PATH'),
    port: z
      .int()
      .min(0)
      .max(65535)
      .default(4222)
      .describe('Port of the server gantry runs; another if taken. BD_NATS_PORT overrides it'),
    token: z
      .string()
      .default('')
      .describe('Token of the server; the one gantry runs makes its own. BD_DAEMON_TOKEN overrides it'),
    user: z.string().default('').describe('User name, with `nats.password`'),
    password: z.string().default('').describe('Password of `nats.user`'),
    nkey_file: z.string().default('').describe('File with an nkey seed'),
    creds_file: z.string().default('').describe('File with user credentials (JWT and seed)'),
    tls_ca: z.string().default('').describe('File with the certificate authority of the server'),
    tls_cert: z.string().default('').describe('File with the certificate of this client'),
    tls_key: z.string().default('').describe('File with the key of `nats.tls_cert`'),
    subjects: z
      .enum(['plain', 'scoped', 'both'])
      .default('plain')
      .describe(
        'plain: `hooks.<type>`; scoped: `hooks.<host>.<type>`, for a fleet; both: each event under both',
      ),
    host: z.string().default('').describe('Name of this machine on the bus; empty takes the host name'),
    fleet: z
      .enum(['auto', 'on', 'off'])
      .default('auto')
      .describe(
        'Tell other hosts on the same NATS of the sessions here. auto: where the server is not one that gantry runs',
      ),
    replicas: z
      .int()
      .min(1)
      .max(5)
      .default(1)
      .describe('Copies of each stream that gantry creates in a cluster'),
  })

export type NatsConfig = z.infer<ReturnType<typeof natsSchema>>
