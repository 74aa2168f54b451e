/** Made by "npm run docs" from the definitions in calls/. Edit those. */
export const GUARDED_CALLS: ReadonlySet<string> = new Set([
  "stop",
  "rules.trust",
  "rules.untrust",
  "budgets.raise",
  "approvals.answer",
  "bus.register",
  "bus.unregister",
  "web.link",
  "web.allow",
  "web.revoke",
  "web.signOut"
])
