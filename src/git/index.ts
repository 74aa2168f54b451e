/** Repositories: root, branch and uncommitted changes of a folder. Safe on any mount. */

export { Git, type GitContext } from './git.ts'
