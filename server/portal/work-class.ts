import type { WorkClass } from '../contract/http/load-shedding.ts'
import { realms } from '../contract/portal/realms.ts'

/** Paths of the status page and of files that every page needs. */
const neededPath = /^\/(?:status|assets)(?:[/.?]|$)/

/**
 * Decides how early a page is refused under load. It does not look up the session, to avoid that work under load.
 */
export const portalWorkClass = (target: string, cookies: string | null | undefined): WorkClass =>
  neededPath.test(target) || sessionCookie.test(cookies ?? '') ? 'portal' : 'anonymous'

const sessionCookie = new RegExp(
  `(?:^|;\\s*)(?:__Host-)?(?:${Object.values(realms)
    .map(({ cookie }) => cookie)
    .join('|')})=.`,
)
