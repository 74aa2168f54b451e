/** An operator, an account and a user, as tokens signed by each other: what a server with credentials files works with. */
import { nkeys } from '@nats-io/transport-node'

type KeyPair = ReturnType<typeof nkeys.createUser>

const UNLIMITED = {
  ...{ subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 },
  ...{ mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 },
}

const NO_STREAMS = { mem_storage: 0, disk_storage: 0, streams: 0, consumer: 0 }

/** Lines for the server's configuration, and the text of the user's file. */
export function credentials(): { config: string; creds: string } {
  const operator = nkeys.createOperator()
  const account = nkeys.createAccount()
  const system = nkeys.createAccount() // a server with JetStream and an operator insists on one
  const user = nkeys.createUser()
  const claims = { subs: -1, data: -1, payload: -1, pub: {}, sub: {} }
  const operatorToken = signed(operator, operator, {
    type: 'operator',
    system_account: system.getPublicKey(),
  })
  const accountToken = signed(operator, account, { type: 'account', limits: UNLIMITED })
  const systemToken = signed(operator, system, { type: 'account', limits: { ...UNLIMITED, ...NO_STREAMS } })
  const userToken = signed(account, user, { type: 'user', ...claims })
  const seed = new TextDecoder().decode(user.getSeed())
  return {
    config: [
      `operator: ${operatorToken}`,
      'resolver: MEMORY',
      `resolver_preload: { ${account.getPublicKey()}: ${accountToken}, ${system.getPublicKey()}: ${systemToken} }`,
      `system_account: ${system.getPublicKey()}`,
    ].join('\n'),
    creds: [
      `-----BEGIN NATS USER JWT-----\n${userToken}\n------END NATS USER JWT------`,
      `-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
    ].join('\n\n'),
  }
}

function signed(by: KeyPair, about: KeyPair, claims: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = part({ typ: 'JWT', alg: 'ed25519-nkey' })
  const body = part({
    jti: about.getPublicKey(),
    iat: Math.floor(Date.now() / 1000),
    iss: by.getPublicKey(),
    name: String(claims.type),
    sub: about.getPublicKey(),
    nats: { ...claims, version: 2 },
  })
  const signature = by.sign(new TextEncoder().encode(`${head}.${body}`))
  return `${head}.${body}.${Buffer.from(signature).toString('base64url')}`
}
