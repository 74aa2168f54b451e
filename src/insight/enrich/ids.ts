/** Ids of transactions and prompts, derived from an event alone, so they are deterministic. */
import type { HookEvent } from '../../events/index.ts'

const CHANCE_CHARS = 9

export function transactionIdOf({ id, at }: Pick<HookEvent, 'id' | 'at'>): string {
  return `tx_${stampOf(at, id)}`
}

/** For agents that do not identify their prompts. */
export function promptIdOf({ id, at }: Pick<HookEvent, 'id' | 'at'>): string {
  return `prompt_${stampOf(at, id)}`
}

function stampOf(at: number, id: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(id).digest().readUIntBE(0, 6)
  return `${Math.trunc(at)}_${hash.toString(36).padStart(CHANCE_CHARS, '0').slice(-CHANCE_CHARS)}`
}
