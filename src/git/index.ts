/** Repositories: where a folder is, on which branch, and whether something is not committed. Safe on any mount. */

export { Git, type GitContext } from './git.ts'
