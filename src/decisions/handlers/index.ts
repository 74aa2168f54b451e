/**
 * Commands that the user registered for events: asked while an agent waits or run afterwards, each under limits, and left
 * alone for a while when they fail.
 */

