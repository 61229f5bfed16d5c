/**
 * How a promise ends: the notice that callers get, and what a row of an operation says about its own end. The headers
 * of its responses, the OpenAPI document, the reference and the emails follow from the row.
 */
import { z } from 'zod'

/** Months from the announcement until an operation, tool, parameter or field may change or go away. */
export const noticeMonths = 12

/** Days, when staying as it is would put records at risk. The note says why. */
export const securityNoticeDays = 30

/** Days for a lower limit, and for what helps to test in the sandbox. */
export const shortNoticeDays = 30

/** Days before the sunset on which the organizations that still call it get a second email. */
export const sunsetReminderDays = 30

/** Calls of so many days say who still uses an operation. */
export const deprecationUseDays = 30

const noteCharactersMax = 300

const day = z.iso.date({ error: 'must be a day: yyyy-mm-dd' })

const deprecationSchema = z
  .strictObject({
    /** First day on which callers should not begin to use it. */
    since: day,
    /** First day on which it no longer answers, from midnight UTC. */
    sunset: day,
    /** Name of the operation or tool to use instead, in the same table. */
    successor: z.string().min(1).optional(),
    /** Why, and what to do: one or two sentences. */
    note: z
      .string()
      .max(noteCharactersMax)
      .regex(/^\p{Lu}.*\.$/u, { error: 'must be sentences' }),
    /** The notice is short because of a risk to records. */
    security: z.literal(true).optional(),
  })
  .refine(({ since, sunset, security }) => sunset >= earliestSunset(since, security), {
    path: ['sunset'],
    error: 'must leave the notice of the policy',
  })

export type Deprecation = Readonly<z.output<typeof deprecationSchema>>

/** The first day that the policy allows for the end. */
export function earliestSunset(since: string, security: boolean | undefined): string {
  const at = new Date(`${since}T00:00:00Z`)
  if (security) at.setUTCDate(at.getUTCDate() + securityNoticeDays)
  else at.setUTCMonth(at.getUTCMonth() + noticeMonths)
  return at.toISOString().slice(0, 10)
}

type Deprecable = { readonly deprecation?: Deprecation }

/** What is wrong with the deprecations of a table of operations or tools; empty when all is well. */
export function findDeprecationFaults(rows: Readonly<Record<string, Deprecable>>): string[] {
  return Object.entries(rows).flatMap(([name, { deprecation }]) => {
    if (deprecation === undefined) return []
    const parsed = deprecationSchema.safeParse(deprecation)
    if (!parsed.success)
      return parsed.error.issues.map(({ path, message }) => `${name}: ${path.join('.')} ${message}`)
    const { successor } = parsed.data
    if (successor === undefined) return []
    const next = rows[successor]
    if (next === undefined || successor === name) return [`${name}: successor must be another row`]
    return next.deprecation ? [`${name}: successor must not be deprecated`] : []
  })
}

const startOf = (each: string) => new Date(`${each}T00:00:00Z`)

export const hasEnded = (deprecation: Deprecation | undefined, now: Date): boolean =>
  deprecation !== undefined && now >= startOf(deprecation.sunset)

/** https://www.rfc-editor.org/rfc/rfc9745#section-2.1 and https://www.rfc-editor.org/rfc/rfc8594#section-3 */
export const deprecationDates = ({ since, sunset }: Deprecation) => ({
  Deprecation: `@${startOf(since).getTime() / 1000}`,
  Sunset: startOf(sunset).toUTCString(),
})

/** `November 23, 2026`: days of a policy are the same everywhere. */
const dayInWords = (each: string): string =>
  startOf(each).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })

/** What descriptions say in front of their own text. @param successor as its reader would call it */
export function deprecationSentence({ sunset, note }: Deprecation, successor: string | null): string {
  const instead = successor === null ? '' : ` Use ${successor} instead.`
  return `Deprecated: ends on ${dayInWords(sunset)}. ${note}${instead}`
}
