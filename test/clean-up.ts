/** Loaded before all tests, see bunfig.toml. */
import { afterAll } from 'bun:test'
import { cleanUp } from './litter.ts'

afterAll(cleanUp)
