/** Which events say that a person is asked for a permission. */
import type { HookEvent } from './hook-event.ts'

/** Gemini tells of its dialog by a Notification of this type (0.61.0); all others have an event of its own for it. */
const GEMINI_DIALOG = 'ToolPermission'

export function asksPermission({ type, notification }: Pick<HookEvent, 'type' | 'notification'>): boolean {
  return type === 'PermissionRequest' || (type === 'Notification' && notification?.type === GEMINI_DIALOG)
}
