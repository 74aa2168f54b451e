/**
 * The page in the browser. Its entry there is main.tsx; this is what other surfaces use of it, without a browser.
 *
 *   writeFileSync(path, htmlOf({ session, timeline, … }))
 */
export { htmlOf, MAX_MESSAGES } from './session/export/html.ts'
