/**
 * A fleet by leaf nodes: this host's part in a hub, the files of a hub, and a try whether a hub lets somebody in. What needs the
 * NATS packages is loaded with a connection.
 */
export { HubMember, type HubSettings } from './member.ts'
export {
  ADMIN,
  type HubLogin,
  type HubPlan,
  type HubUser,
  hashOf,
  hubFiles,
  hubText,
  readHub,
  readUsers,
  usersText,
} from './server-files.ts'
export { tryHub } from './try-hub.ts'
