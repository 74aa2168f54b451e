/** A mistake in how a command was called: one line that says what to type instead; exit 2. */
import { GantryError } from '../../core/errors.ts'

export function usageError(message: string, options?: { readonly cause?: unknown }): GantryError {
  return new GantryError('USAGE', message, options)
}
