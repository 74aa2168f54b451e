/** Made by "npm run docs" from the agents' records. Edit those. */
import type { Reader } from './read.ts'
import { read as claude } from './claude/read.ts'
import { read as codex } from './codex/read.ts'
import { read as gemini } from './gemini/read.ts'
import { read as copilot } from './copilot/read.ts'
import { read as opencode } from './opencode/read.ts'
import { read as qwen } from './qwen/read.ts'
import { read as droid } from './droid/read.ts'
import { read as kilo } from './kilo/read.ts'
import { read as pi } from './pi/read.ts'

export const READERS: ReadonlyMap<string, Reader> = new Map([
  ['claude', claude],
  ['codex', codex],
  ['gemini', gemini],
  ['copilot', copilot],
  ['opencode', opencode],
  ['qwen', qwen],
  ['droid', droid],
  ['kilo', kilo],
  ['pi', pi],
])
