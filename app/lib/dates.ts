/** Dates as people read them here: “Mon 30 Nov 2026, 23:59 EST”. One formatter; the zone is always named. */

type Instant = Date | string | number
const dayMs = 86_400_000

/** One format per zone: creating one takes longer than formatting a hundred dates. */
const formats = new Map<string, Intl.DateTimeFormat>()
/** Limits the memory, because visitors choose the zones. */
const formatsMax = 200

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  })
  if (formats.size >= formatsMax) formats.clear()
  formats.set(zone, format)
  return format
}

function partsOf(instant: Instant, zone: string) {
  const found = Object.fromEntries(
    formatOf(zone)
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  )
  return found as Record<Intl.DateTimeFormatPartTypes, string>
}

/** `Mon 30 Nov 2026, 23:59 EST` */
export function dateTime(instant: Instant, zone: string): string {
  const p = partsOf(instant, zone)
  return `${p.weekday} ${p.day} ${p.month} ${p.year}, ${p.hour}:${p.minute} ${p.timeZoneName}`
}

/** `Mon 30 Nov 2026, 23:59:07 EST` */
export function dateTimeSeconds(instant: Instant, zone: string): string {
  const p = partsOf(instant, zone)
  return `${p.weekday} ${p.day} ${p.month} ${p.year}, ${p.hour}:${p.minute}:${p.second} ${p.timeZoneName}`
}

/** `30 Nov 2026`, where the hour does not matter. */
export function date(instant: Instant, zone: string): string {
  const p = partsOf(instant, zone)
  return `${p.day} ${p.month} ${p.year}`
}

/** `9 Apr 1971` of a date in a record, which may have no day or month. */
export function recordDate(date: string): string {
  const [year = '', month, day] = date.split('-')
  const name = month && partsOf(`${year}-${month}-15T12:00:00Z`, 'UTC').month
  return [day && String(Number(day)), name, year].filter(Boolean).join(' ')
}

/** `23:59 EST` */
export function time(instant: Instant, zone: string): string {
  const p = partsOf(instant, zone)
  return `${p.hour}:${p.minute} ${p.timeZoneName}`
}

/** `just now`, `2 min ago`, `7 hours ago`, `3 days ago`. */
export function ago(instant: Instant, now: Instant): string {
  const seconds = Math.max(0, (new Date(now).getTime() - new Date(instant).getTime()) / 1_000)
  if (seconds < 60) return 'just now'
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return counted(Math.floor(seconds / 3_600), 'hour', ' ago')
  return counted(Math.floor(seconds / 86_400), 'day', ' ago')
}

/** Whole days from now until then, rounded up; 0 when it has passed. */
export function daysLeft(until: Instant, now: Instant): number {
  return Math.max(0, Math.ceil((new Date(until).getTime() - new Date(now).getTime()) / dayMs))
}

/** `51 days left`, `1 day left`, `ended`; under a day in hours: `5 hours left`. */
export function timeLeft(until: Instant, now: Instant): string {
  const left = new Date(until).getTime() - new Date(now).getTime()
  if (left <= 0) return 'ended'
  if (left < dayMs) return counted(Math.max(1, Math.floor(left / 3_600_000)), 'hour', ' left')
  return counted(daysLeft(until, now), 'day', ' left')
}

/** `42 seconds`, `3 minutes`, `1 hour`: how long to wait, rounded up. */
export function waitFor(seconds: number): string {
  if (seconds < 90) return counted(Math.max(1, Math.ceil(seconds)), 'second', '')
  if (seconds < 5_400) return counted(Math.ceil(seconds / 60), 'minute', '')
  return counted(Math.ceil(seconds / 3_600), 'hour', '')
}

/** `1 hour`, `2 hours`. */
export function counted(count: number, noun: string, after = ''): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}${after}`
}
