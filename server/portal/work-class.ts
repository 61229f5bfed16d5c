import type { WorkClass } from '../contract/http/load-shedding.ts'
import { realms } from '../contract/portal/realms.ts'

/** The status page, and the files that every page needs. */
const neededPath = /^\/(?:status|assets)(?:[/.?]|$)/

/**
 * Whether a page is refused early or late under load. The session is not looked up: that is the work to be saved.
 */
export const portalWorkClass = (target: string, cookies: string | null | undefined): WorkClass =>
  neededPath.test(target) || sessionCookie.test(cookies ?? '') ? 'portal' : 'anonymous'

const sessionCookie = new RegExp(
  `(?:^|;\\s*)(?:__Host-)?(?:${Object.values(realms)
    .map(({ cookie }) => cookie)
    .join('|')})=.`,
)
