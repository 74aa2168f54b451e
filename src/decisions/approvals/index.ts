/** Permissions that a person may answer from elsewhere: a hook that asks for one waits for the answer. */

export type { Approvals, Person } from './approvals.ts'
export { isByPerson } from './permission.ts'
export type { Approval, Ending } from './waiting.ts'
