/** Emails of operations: what an operator did to a practice, key or app, and the end of an operation of the API. */
import { z } from 'zod'
import { emailsAbout } from '../emails-about.ts'
import { count, defineMail, instant, line, reasonLine } from '../letter.ts'

const { email } = emailsAbout({})

const notices = {
  practice_suspended: {
    subject: (about: string) => `${about} is stopped`,
    happened: 'An operator stopped your practice.',
    means: 'Keys and apps can’t reach its records until it is resumed. Running exports were canceled.',
    page: '/practice',
  },
  practice_resumed: {
    subject: (about: string) => `${about} is active again`,
    happened: 'An operator resumed your practice.',
    means: 'Keys and apps can reach its records again, unless another restriction applies to them.',
    page: '/practice',
  },
  key_suspended: {
    subject: (about: string) => `The key ${about} is stopped`,
    happened: 'An operator stopped your key.',
    means: 'Calls with it get a 401 response until it is resumed. Your code is not the cause.',
    page: '/developers/keys',
  },
  key_resumed: {
    subject: (about: string) => `The key ${about} is active again`,
    happened: 'An operator resumed your key.',
    means: 'Calls with it work again.',
    page: '/developers/keys',
  },
  client_suspended: {
    subject: (about: string) => `The app ${about} is stopped`,
    happened: 'An operator stopped your app.',
    means: 'It can’t get tokens, and its existing tokens are refused, until it is resumed.',
    page: '/developers',
  },
  client_resumed: {
    subject: (about: string) => `The app ${about} is active again`,
    happened: 'An operator resumed your app.',
    means: 'It can request tokens again.',
    page: '/developers',
  },
  client_removed: {
    subject: (about: string) => `The app ${about} was removed`,
    happened: 'An operator removed your app.',
    means: 'Its client ID is no longer valid, and its tokens are refused.',
    page: '/developers',
  },
} as const

const inWords = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })

const counted = (many: number, one: string, more: string) =>
  many === 1 ? `1 ${one}` : `${many.toLocaleString('en-US')} ${more}`

export const operationsEmails = {
  'operations-notice': email(
    {
      name: [line, 'Odell Placeholder'],
      what: [z.enum(Object.keys(notices) as (keyof typeof notices)[]), 'practice_suspended'],
      /** Name of the practice, key or app. */
      about: [line, 'Samplewood Family Practice'],
      /** As the person who did it wrote it. */
      reason: [reasonLine, 'The practice requested it by telephone while its credentials are changed.'],
      at: [instant, '2026-11-20T15:04:00.000Z'],
    },
    ({ what, about, reason, at }) => ({
      ...notices[what],
      subject: notices[what].subject(about),
      preview: reason,
      todo: 'Read the reason. If it isn’t right, or you need more time, reply to this email.',
      otherwise: 'It stays in effect.',
      button: 'Go to the portal',
      facts: [
        ['When', at],
        ['Reason', reason],
      ],
    }),
  ),
  /** To the organizations that call the operation. */
  'deprecation-notice': defineMail({
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
      action: { label: 'View logs', url: page(`/organizations/${organizationSlug}/logs`) },
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
  }),
}
