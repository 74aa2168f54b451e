/** Which pane is meant, and which comes next. */
import { describe, expect, test } from 'bun:test'
import { type Pane, paneOf, serverOf } from '../core/tmux.ts'
import { moreUrgent, nextOf } from './index.ts'

const pane = (id: string, socket = '/tmp/tmux-1/default'): Pane => ({ socket, pid: 7, pane: id })
const waiting = (id: string) => ({ key: id, pane: pane(id) })

describe('a pane', () => {
  test.each([
    ['/tmp/tmux-1000/default,4711,0', { socket: '/tmp/tmux-1000/default', pid: 4711 }],
    ['/a,b/c,4711,$1', { socket: '/a,b/c', pid: 4711 }],
    ['relative,4711,0', undefined],
    ['/x,0x10,0', undefined],
    ['/x\n,1,0', undefined],
    ['-L,1,0', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('is in the server that TMUX names: %j', (tmux, server) => {
    expect(serverOf(tmux)).toEqual(server)
  })

  test('has a number, and nothing that tmux would read as more', () => {
    const tmux = '/s,1,0'
    expect(paneOf({ pane: '%12', tmux })).toEqual({ socket: '/s', pid: 1, pane: '%12' })
    for (const bad of ['12', '%1;kill-server', '%', '%1 ', '-t', '%9999999999'])
      expect(paneOf({ pane: bad, tmux })).toBeUndefined()
    expect(paneOf({ pane: '%1' })).toBeUndefined()
  })
})

describe('the next that needs somebody', () => {
  const all = [waiting('%3'), waiting('%2'), waiting('%1')]

  test('is the first of them, then the one after it, and round', () => {
    expect(nextOf(all, undefined)?.key).toBe('%3')
    expect(nextOf(all, pane('%3'))?.key).toBe('%2')
    expect(nextOf(all, pane('%2'))?.key).toBe('%1')
    expect(nextOf(all, pane('%1'))?.key).toBe('%3')
    expect(nextOf(all, pane('%2', '/tmp/other'))?.key).toBe('%3')
    expect(nextOf([], pane('%1'))).toBeUndefined()
  })
})

test('error > attention > working > checked > done', () => {
  expect(moreUrgent(undefined, 'done')).toBe('done')
  expect(moreUrgent('done', 'checked')).toBe('checked')
  expect(moreUrgent('working', 'checked')).toBe('working')
  expect(moreUrgent('working', 'attention')).toBe('attention')
  expect(moreUrgent('error', 'attention')).toBe('error')
})
