/** What is shown, as text: nothing that an agent says is an order to tmux or to a terminal. */
import { describe, expect, test } from 'bun:test'
import { tmuxSchema } from './config.ts'
import { plainText, type Summarized, summaryOf } from './index.ts'

const settings = tmuxSchema().parse({})

describe('plain text', () => {
  test.each([
    ['#(rm -rf ~)#[fg=red]#{pid}##', '(rm -rf ~)[fg=red]{pid}'],
    ['\u001b[31mred\u001b[0m\u001b]0;title\u0007 \u009b2J\u0008x', 'red x'],
    ['two\nlines\t\u2028here', 'two lines here'],
    ['right\u202eto\u200bleft\ufe0f', 'righttoleft'],
    ['lonely \ud800 half', 'lonely ? half'],
    ['a'.repeat(100_000), `${'a'.repeat(39)}…`],
    ['日本語'.repeat(20), `${'日本語'.repeat(7).slice(0, 19)}…`],
  ])('is one line without orders: %#', (text, shown) => {
    expect(plainText(text, 40)).toBe(shown)
  })

  test('is never wider than the limit, and never has a #', () => {
    let seed = 1
    const chance = () => {
      seed = (seed * 48_271) % 0x7fffffff
      return seed / 0x7fffffff
    }
    for (let i = 0; i < 1_000; i++) {
      const text = String.fromCodePoint(
        ...Array.from({ length: 60 }, () => Math.floor(chance() ** 4 * 0x10ffff)).map((c) =>
          c >= 0xd800 && c <= 0xdfff ? 0x23 : c,
        ),
      )
      const shown = plainText(`${text}#(`, 30)
      expect(Bun.stringWidth(shown), JSON.stringify(text)).toBeLessThanOrEqual(30)
      expect(shown).not.toContain('#')
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }
  })
})

const line = (sessions: readonly Summarized[]) => {
  const counts = Map.groupBy(sessions, ({ status }) => status)
  return summaryOf(
    {
      counts: new Map([...counts].map(([status, all]) => [status, all.length])),
      needing: sessions.filter(({ need }) => need),
    },
    settings,
  )
}

describe('the summary', () => {
  test('counts by urgency, and names who waits longest; errors come first', () => {
    const shown = line([
      { name: 'late', status: 'attention', need: { reason: 'Permission for Bash', since: 20, rank: 1 } },
      { name: 'early', status: 'attention', need: { reason: 'question', since: 10, rank: 1 } },
      { name: 'busy', status: 'working' },
      { name: 'old', status: 'checked' },
    ])
    expect(shown).toBe(
      '#[fg=yellow]▲2#[default] #[fg=green]●1#[default] ○1 #[fg=yellow]early: question#[default]',
    )
    const failed = {
      name: 'failed',
      status: 'error',
      need: { reason: 'rate limit', since: 99, rank: 0 },
    } as const
    const waits = { name: 'early', status: 'attention', need: { reason: 'q', since: 1, rank: 1 } } as const
    expect(line([waits, failed])).toEndWith('#[fg=red]failed: rate limit#[default]')
    expect(line([])).toBe('')
  })

  test('colours are colours of tmux, and nothing else gets between its brackets', () => {
    expect(tmuxSchema().parse({ error: '#FFDD00' }).error).toBe('#ffdd00')
    for (const error of ['red]#(date)', 'red,bold', '#ff', 'colour256', "red' ; kill-server"])
      expect(tmuxSchema().safeParse({ error }).success, error).toBe(false)
  })
})
