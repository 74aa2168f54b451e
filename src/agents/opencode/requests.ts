/**
 * Usage of each model request, from the model's messages. opencode stores conversations in its own database, so there is no
 * transcript; the journal has the events.
 */
import { isObject } from '../../core/is-object.ts'
import type { HookEvent, TokenCounts } from '../../events/index.ts'
import type { Payload } from '../payload.ts'
import type { MessagePart } from '../transcripts/messages.ts'
import { countOf } from '../transcripts/usage.ts'

export const requests = { type: 'MessageUpdated', partsOf }

function partsOf({ fields, at }: HookEvent): readonly MessagePart[] {
  const info = isObject(fields?.properties) ? fields.properties.info : undefined
  if (!isObject(info) || info.role !== 'assistant' || typeof info.id !== 'string') return []
  const counts = isObject(info.tokens) ? countsOf(info.tokens) : undefined
  if (!counts || Object.values(counts).every((count) => count === 0)) return [] // the request has just begun
  const model = typeof info.modelID === 'string' ? { model: info.modelID } : {}
  const turn = typeof info.parentID === 'string' ? info.parentID : '' // the prompt that it answers
  return [
    { kind: 'turn', id: turn, at: createdAt(info) ?? at },
    { kind: 'usage', id: info.id, at, ...model, counts, standard: true, costUsd: countOf(info.cost) },
  ]
}

function countsOf({ input, output, reasoning, cache }: Payload): TokenCounts {
  const { read, write }: Payload = isObject(cache) ? cache : {}
  return {
    input: countOf(input),
    cacheRead: countOf(read),
    cacheWrite5m: countOf(write),
    cacheWrite1h: 0,
    output: countOf(output) + countOf(reasoning),
  }
}

function createdAt({ time }: Payload): number | undefined {
  return isObject(time) && typeof time.created === 'number' ? time.created : undefined
}
