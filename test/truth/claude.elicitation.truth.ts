/** Claude Code 2.1.325: an MCP server asks for input, and the person is needed from the moment that the form is shown. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { claude } from '../agents/claude.ts'
import { DONE, testTruth, think } from './suite.ts'

const SERVER = join(import.meta.dir, '../agents/mcp-forms.ts')
const mcpServers = { forms: { command: process.execPath, args: [SERVER] } }
const argv = claude.interactive({
  guarded: true,
  args: ['--mcp-config', JSON.stringify({ mcpServers }), '--allowedTools', 'mcp__forms__ask'],
})
const WORKS = /^[·✢✳✶✻✽*] \S+…/mu
const FORM = /What is your name\?/
const ASK = think({ name: 'mcp__forms__ask', input: {} })

testTruth({ driver: claude, argv, works: WORKS, rightPct: 98, basics: false }, (play) => {
  test('a form, left by Esc', () =>
    play().scenario('MCP input', async (act) => {
      await act.prompt('form', [ASK, DONE])
      await act.asks('form', 1, FORM)
      await act.rest(3000)
      expect(play().watch.current()?.attention).toMatchObject([{ kind: 'elicitation', reason: 'MCP input' }])
      await act.rest(4000) // Claude's own notification has come, and says it again
      expect(play().watch.current()?.attention).toHaveLength(1)
      await act.reply(FORM, 'Escape', 'working')
      await act.answered('form', 2)
      await act.rest()
    }))
})
