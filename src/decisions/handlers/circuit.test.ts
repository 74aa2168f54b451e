import { expect, test } from 'bun:test'
import { Circuit } from './circuit.ts'

test('three failures in a row open it, a success in between does not', () => {
  const circuit = new Circuit(1_000)
  circuit.failed(0)
  circuit.failed(0)
  circuit.succeeded()
  circuit.failed(0)
  circuit.failed(0)
  expect(circuit.state(0)).toBe('closed')
  circuit.failed(0)
  expect(circuit.state(0)).toBe('open')
  expect(circuit.admits(999)).toBe(false)
})

test('when its time is up one try is let through, and only one', () => {
  const circuit = new Circuit(1_000)
  for (let i = 0; i < 3; i++) circuit.failed(0)
  expect(circuit.state(1_000)).toBe('half-open')
  expect(circuit.admits(1_000)).toBe(true)
  expect(circuit.admits(1_000)).toBe(false)
  circuit.succeeded()
  expect(circuit.state(1_000)).toBe('closed')
  expect(circuit.admits(1_000)).toBe(true)
})

test('each failed try doubles the wait, up to five minutes', () => {
  const circuit = new Circuit(100_000)
  for (let i = 0; i < 3; i++) circuit.failed(0)
  const waits: number[] = []
  let now = 0
  for (let i = 0; i < 4; i++) {
    waits.push((circuit.retryAt ?? 0) - now)
    now = circuit.retryAt ?? 0
    expect(circuit.admits(now)).toBe(true)
    circuit.failed(now)
  }
  expect(waits).toEqual([100_000, 200_000, 300_000, 300_000])
  circuit.succeeded()
  for (let i = 0; i < 3; i++) circuit.failed(0)
  expect(circuit.retryAt).toBe(100_000)
})
