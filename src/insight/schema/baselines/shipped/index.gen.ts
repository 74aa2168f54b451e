/** Made by "npm run baselines". */
import d0 from './claude-documented.json'
import v0 from './claude-2.0.77.json'
import v1 from './claude-2.1.325.json'
import v2 from './codex-0.166.0.json'
import v3 from './gemini-0.61.0.json'
import v4 from './copilot-1.0.102.json'
import v5 from './opencode-1.18.33.json'
import v6 from './qwen-0.24.4.json'
import v7 from './droid-0.215.0.json'
import v8 from './kilo-7.7.7.json'
import v9 from './pi-0.87.1.json'

/** As of a certain day, by hand. */
export const DOCUMENTED: readonly unknown[] = [d0]

/** The versions of an agent one after the other, the newest last. */
export const RECORDED: readonly unknown[] = [v0, v1, v2, v3, v4, v5, v6, v7, v8, v9]
