/** The table `[nats]` of gantry.toml. */
import { z } from 'zod'

export const natsSchema = () =>
  z.strictObject({
    mode: z
      .enum(['auto', 'off', 'managed', 'external'])
      .default('auto')
      .describe(
        'auto uses `nats.url` if set, else runs its own nats-server if one is installed. GANTRY_NATS overrides it',
      ),
    url: z
      .string()
      .default('')
      .describe('Server URLs, comma-separated. COOP_NATS_URL or BD_NATS_URL override it'),
    server: z.string().default('').describe('Path of the nats-server to run; empty searches PATH'),
    port: z
      .int()
      .min(0)
      .max(65535)
      .default(4222)
      .describe('Port of the server gantry runs; another if taken. BD_NATS_PORT overrides it'),
    token: z
      .string()
      .default('')
      .describe("Token of the server; gantry's own server generates one. BD_DAEMON_TOKEN overrides it"),
    user: z.string().default('').describe('User name, with `nats.password`'),
    password: z.string().default('').describe('Password of `nats.user`'),
    password_file: z
      .string()
      .default('')
      .describe('File with the password of `nats.user`, in place of `nats.password`'),
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
    host: z.string().default('').describe('Name of this machine on the bus; empty uses the host name'),
    fleet: z
      .enum(['auto', 'on', 'off'])
      .default('auto')
      .describe(
        'Share sessions with other hosts on the same NATS. auto: only on a server that gantry does not run itself',
      ),
    replicas: z
      .int()
      .min(1)
      .max(5)
      .default(1)
      .describe(
        'Copies of each stream that gantry creates in a cluster; with `nats.hub`, those of the streams on the hub',
      ),
    hub: z
      .string()
      .default('')
      .describe(
        "Leaf node port of a fleet's hub, such as tls://hub.example:7422; gantry's own server becomes a leaf node of it. Several are comma-separated",
      ),
    hub_domain: z.string().default('hub').describe('JetStream domain of the hub'),
  })

export type NatsConfig = z.infer<ReturnType<typeof natsSchema>>
