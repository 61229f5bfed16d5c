/**
 * The visitor's time zone. The browser stores it in a cookie on its first visit. From the next page on, the server
 * formats every date in it; until then in the office's zone, which is BUSINESS_TZ or its default here.
 */
export const officeZone = 'America/New_York'
const cookieName = 'sandpiper-zone'

/** Browser only: keeps the zone for the server. */
export function rememberZone(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (zone === undefined || zoneOf(document.cookie) === zone) return
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every supported browser
  document.cookie = `${cookieName}=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax`
}

/** Converts a local time in the zone, read from the UTC fields of `wall`, to its instant; of two, the earlier. */
export function instantIn(zone: string, wall: Date): Date {
  const offsetMs = (instant: number) => {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      timeZoneName: 'longOffset',
    }).formatToParts(instant)
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(offset) ?? []
    return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000
  }
  const before = wall.getTime() - offsetMs(wall.getTime() - 86_400_000)
  const after = wall.getTime() - offsetMs(wall.getTime() + 86_400_000)
  const isShown = (instant: number) => offsetMs(instant) === wall.getTime() - instant
  return new Date(!isShown(before) && isShown(after) ? after : before)
}

/** The zone in a Cookie header; the office's zone if the cookie is missing or invalid. */
export function zoneOf(cookies: string | null, office = officeZone): string {
  const found = new RegExp(`(?:^|;\\s*)${cookieName}=([^;]{1,120})`).exec(cookies ?? '')?.[1]
  if (found === undefined) return office
  try {
    const zone = decodeURIComponent(found)
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
    return zone
  } catch {
    return office
  }
}
