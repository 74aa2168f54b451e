/**
 * gantry's extension for pi (seen on 0.87.1). MIT. It runs inside pi, which has no hook programs: it starts gantry's hook client for
 * each event, with a payload in Claude Code's form, and does what the answer says. `gantry install pi` puts a copy into pi's
 * folder of extensions. Whatever goes wrong here, pi goes on.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Filled in by the installer. */
const CLIENT = '__GANTRY_CLIENT__'
const HOME = '__GANTRY_HOME__'

/** The client ends by itself; this is for a machine that stopped meanwhile. */
const LIMIT_MS = 660_000

// biome-ignore lint/style/noDefaultExport: pi calls the default export of an extension
export default function gantry(pi) {
  /** Context for the model that came before its turn. */
  let waiting = []
  let stopBlocked = false

  pi.on('session_start', async ({ reason }, ctx) => {
    keep(await ask('SessionStart', { source: reason }, ctx))
  })

  pi.on('input', async ({ text, source }, ctx) => {
    const answer = await ask('UserPromptSubmit', { prompt: text, source }, ctx)
    if (answer.decision === 'block') {
      if (ctx.hasUI) ctx.ui.notify(answer.reason, 'warning')
      else process.stderr.write(`${answer.reason}\n`)
      return { action: 'handled' }
    }
    keep(answer)
    return { action: 'continue' }
  })

  pi.on('before_agent_start', () => {
    const content = waiting.join('\n\n')
    waiting = []
    if (content !== '') return { message: { customType: 'gantry', content, display: false } }
  })

  pi.on('tool_call', async (event, ctx) => {
    const { permissionDecision, permissionDecisionReason, updatedInput } = specific(
      await ask('PreToolUse', callOf(event), ctx),
    )
    if (permissionDecision === 'deny') return { block: true, reason: permissionDecisionReason }
    // pi runs the tool with the object that it passed.
    if (updatedInput) replace(event.input, updatedInput)
  })

  pi.on('tool_result', async (event, ctx) => {
    const name = event.isError ? 'PostToolUseFailure' : 'PostToolUse'
    const fields = event.isError ? { error: textOf(event.content) } : { tool_response: event.content }
    const { additionalContext: text } = specific(await ask(name, { ...callOf(event), ...fields }, ctx))
    if (text) return { content: [...event.content, { type: 'text', text }] }
  })

  pi.on('agent_before_settle', async ({ outcome, entries }, ctx) => {
    if (outcome === 'error') {
      await ask('StopFailure', { error: outcome }, ctx)
      return
    }
    if (outcome === 'aborted') {
      await ask('Interrupt', { outcome }, ctx)
      return
    }
    const answer = await ask('Stop', { stop_hook_active: stopBlocked, outcome }, ctx)
    stopBlocked = answer.decision === 'block'
    if (!stopBlocked) return
    const said = { type: 'custom_message', customType: 'gantry', content: answer.reason, display: true }
    return { entries: [...entries, said], continue: true }
  })

  pi.on('session_before_compact', async ({ reason, customInstructions }, ctx) => {
    await ask('PreCompact', { trigger: reason, custom_instructions: customInstructions ?? '' }, ctx)
  })

  pi.on('session_compact', async ({ reason }, ctx) => {
    await ask('PostCompact', { trigger: reason }, ctx)
  })

  pi.on('session_shutdown', async ({ reason }, ctx) => {
    await ask('SessionEnd', { reason }, ctx)
  })

  function keep(answer) {
    const { additionalContext: text } = specific(answer)
    if (text) waiting.push(text)
  }
}

function callOf({ toolName, toolCallId, input }) {
  return { tool_name: toolName, tool_use_id: toolCallId, tool_input: input }
}

function specific(answer) {
  return answer.hookSpecificOutput ?? {}
}

/** The client's answer; an empty one if there is none. */
async function ask(event, fields, ctx) {
  try {
    if (process.env.GANTRY_OFF || !existsSync(CLIENT)) return {}
    const payload = JSON.stringify({
      session_id: ctx.sessionManager.getSessionId(),
      transcript_path: ctx.sessionManager.getSessionFile() ?? '',
      cwd: ctx.cwd,
      hook_event_name: event,
      model: ctx.model?.id ?? '',
      mode: ctx.mode,
      ...fields,
    })
    return JSON.parse((await run(['--home', HOME, 'pi', event], payload)) || '{}')
  } catch {
    return {}
  }
}

function run(args, input) {
  return new Promise((done) => {
    const child = spawn(CLIENT, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: LIMIT_MS })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.stdin.on('error', () => {})
    child.on('error', () => done(''))
    child.on('close', () => done(said))
    child.stdin.end(input)
  })
}

function textOf(content) {
  return content.map(({ text = '' }) => text).join('\n')
}

/** In place. */
function replace(target, source) {
  for (const key of Object.keys(target)) if (!Object.hasOwn(source, key)) delete target[key]
  Object.assign(target, source)
}
