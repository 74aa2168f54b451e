/** The TypeScript client as a program, for the suite; `gantry hook` is the same with the real gantry to start. */
import { runHook } from '../../src/client/hook.ts'

const gantry = process.env.CLIENT_GANTRY
process.exit(await runHook(process.argv.slice(2), gantry ? { gantry: [gantry] } : {}))
