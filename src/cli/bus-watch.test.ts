import { expect, test } from 'bun:test'
import type { WireMessage } from '../client/index.ts'
import { Pulse } from './bus-watch.ts'

const message = (session: string) => ({ agent: 'claude', session }) as WireMessage

test('the pulse counts the last ten seconds and forgets the rest', () => {
  const pulse = new Pulse()
  for (let n = 0; n < 50; n++) pulse.add(message(`s${n % 5}`), 1_000 + n * 100)
  expect(pulse.line(6_000)).toStartWith('5.0 messages/s · 5 sessions · 50 so far')
  pulse.add(message('s1'), 16_000)
  expect(pulse.line(16_500)).toStartWith('0.1 messages/s · 1 sessions · 51 so far')
})
