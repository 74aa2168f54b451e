/** What gantry needs from the machine around it, and whether it is there. */
export { examine } from './doctor.ts'
