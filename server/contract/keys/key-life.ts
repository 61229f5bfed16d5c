/** What may happen to a key while it lives: the choices, the days and the bounds, for pages and server alike. */

/** Hours for which a rotated key goes on beside its successor, counted from the rotation. */
export const graceChoices = [
  { hours: 0, label: 'No grace period', sub: 'The old key stops on its next request.' },
  { hours: 1, label: 'One hour', sub: 'For replacing the key right away.' },
  { hours: 24, label: '24 hours', sub: 'For one deployment.' },
  { hours: 72, label: 'Three days', sub: 'For several places to update.' },
  { hours: 168, label: 'Seven days', sub: 'The maximum.' },
] as const

export type GraceHours = (typeof graceChoices)[number]['hours']

export const isGraceHours = (hours: number): hours is GraceHours =>
  graceChoices.some((choice) => choice.hours === hours)

/** Days before a key expires at which its owner is notified. */
export const reminderDays = {
  sandbox: [14, 7, 3, 1],
  production: [30, 14, 7, 3, 1],
} as const

/** From so many days before its end a sandbox key can be extended, to a whole life from then on. */
export const extendWithinDays = 30

/** The most that a key may be granted: what its practice has over all keys. */
export const grantedLimitsMax = { burst: 400, sustained: 12_000 } as const

/** Answers by their first digit, as people filter them. */
export const statusClasses = ['2xx', '4xx', '5xx'] as const
export type StatusClass = (typeof statusClasses)[number]

/** Methods that the log can be filtered by. */
export const loggedMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const logHours = { hour: 1, day: 24, week: 168, month: 720 } as const
/** Spans of the log, up to now. */
export const logTimes = ['today', ...(Object.keys(logHours) as (keyof typeof logHours)[])] as const
export type LogTime = (typeof logTimes)[number]

/** The first moment of a span. Today is a UTC day, as calls are counted. */
export function logStart(span: LogTime, now: Date): Date {
  return span === 'today'
    ? new Date(now.toISOString().slice(0, 10))
    : new Date(now.getTime() - logHours[span] * 3_600_000)
}

/** Rows of an activity file at most. */
export const activityFileRowsMax = 50_000

/** How long a mail that asks for a key waits to be confirmed. */
export const draftHours = 72
