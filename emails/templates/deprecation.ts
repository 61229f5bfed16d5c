/** The end of an operation, to the organizations that call it. */
import { z } from 'zod'
import { count, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

const inWords = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })

const counted = (many: number, one: string, more: string) =>
  many === 1 ? `1 ${one}` : `${many.toLocaleString('en-US')} ${more}`

export const deprecationNotice = defineMail({
  props: z.object({
    kind: z.enum(['announced', 'ending']),
    operation: line,
    sunset: z.iso.date(),
    note: z.string().min(1).max(300),
    successor: line.nullable(),
    callers: count,
    calls: count,
    organizationSlug: line,
  }),
  links: [],
  subject: ({ operation, sunset }) => `${operation} ends on ${inWords(sunset)}`,
  letter: ({ kind, operation, sunset, note, successor, callers, calls, organizationSlug }, { page }) => ({
    preview: note.slice(0, 120),
    heading: `${operation} ends on ${inWords(sunset)}`,
    happened: `${kind === 'announced' ? 'We announced the end of an operation that you call' : 'An operation that you call ends soon'}: ${operation}. ${note}`,
    means: `In the last 30 days, ${counted(callers, 'key or app', 'keys or apps')} of your organization made ${counted(calls, 'call', 'calls')} to it.`,
    todo:
      successor === null
        ? 'Change your client so that it no longer needs this operation.'
        : `Change your client to use ${successor}.`,
    byWhen: `${inWords(sunset)}, 00:00 UTC`,
    otherwise: 'Calls get the status 410 from that day on.',
    action: { label: 'View activity', url: page(`/organizations/${organizationSlug}/activity`) },
    facts: [['Policy', page('/docs/versioning')]],
  }),
  example: {
    kind: 'announced',
    operation: 'GET /patients',
    sunset: '2027-11-23',
    note: 'Its pages hold too few records.',
    successor: 'GET /people',
    callers: 2,
    calls: 1_204,
    organizationSlug: 'samplewood-health-apps',
  },
})
