import { describe, expect, test } from 'bun:test'
import { inputLine } from './input-line.ts'

describe("the line for a tool's input", () => {
  test.each([
    [{ command: 'ls\n  -la' }, 'ls ⏎ -la'],
    [{ command: 'make\r\n\n\trm -rf x' }, 'make ⏎ rm -rf x'],
    [{ command: 'make\u2028rm\u0085x\vy' }, 'make ⏎ rm ⏎ x ⏎ y'],
    [{ command: `make${' '.repeat(300)}\t; rm -rf x` }, 'make ; rm -rf x'],
    [{ command: ['bash', '-lc', 'ls'] }, 'bash -lc ls'],
    [{ cmd: 'touch x', justification: 'y', description: 'z' }, 'touch x'],
    [{ file_path: '/a', content: 'long' }, '/a  (and content: "long")'],
    [{ file_path: '/a', content: 'x'.repeat(9_000) }, '/a  (and content: 9000 characters)'],
    [{ command: 'ls', dangerouslyDisableSandbox: true }, 'ls  (and dangerouslyDisableSandbox: true)'],
    [{ url: 'https://a.example' }, 'https://a.example'],
    [{ command: '', depth: 3 }, '{"command":"","depth":3}'],
    ['*** Begin Patch\n+x', '*** Begin Patch ⏎ +x'],
    [{ command: 'rm\u200b -r\u00adf \u3164x\u2800y' }, 'rm⟨U+200B⟩ -r⟨U+00AD⟩f ⟨U+3164⟩x⟨U+2800⟩y'],
    [{ command: `ls${'\u{e0041}'.repeat(20)} x\u{e007f}` }, 'ls⟨U+E0041 and 19 more⟩ x⟨U+E007F⟩'],
    [{ command: 'ls', note: 'a\u200bb\u202ec' }, 'ls  (and note: "a⟨U+200B⟩b c")'],
    [{ command: 'git commit -m "⚠️ 👩🏽‍💻 ❤️‍🔥"' }, 'git commit -m "⚠️ 👩🏽‍💻 ❤️‍🔥"'],
    [undefined, ''],
    [null, ''],
    [7, ''],
  ])('%j is %j', (input, line) => expect(inputLine(input)).toBe(line))

  test('counts what it leaves out of a long input and always shows the end', () => {
    const line = inputLine({ command: `: ${'x'.repeat(10_000)}; rm -rf /` })
    expect(line.length).toBeLessThan(520)
    expect(line).toMatch(/^: x+ … 95\d\d more … x+; rm -rf \/$/)
  })

  test('shows both ends of megabytes and counts everything between', () => {
    for (const filler of ['x', ' ', 'a b\\n']) {
      const command = `: ${filler.repeat(1_000_000)}; rm -rf /`
      const line = inputLine({ command })
      expect(line).toMatch(/^:.* … \d{6,7} more … .*; rm -rf \/$/)
      expect(line.length).toBeLessThan(520)
    }
  })

  test('names a limited number of other fields and counts the rest', () => {
    const more = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, i]))
    const line = inputLine({ command: 'ls', ...more, ['n'.repeat(500)]: 1 })
    expect(line).toContain('f7: 7, 43 more fields)')
    expect(line.length).toBeLessThan(600)
  })

  test('leaves nothing out without a limit', () => {
    const command = `x${'y'.repeat(5_000)}`
    expect(inputLine({ command, content: 'z'.repeat(300) }, Number.POSITIVE_INFINITY)).toBe(
      `${command}  (and content: "${'z'.repeat(300)}")`,
    )
  })
})
