/** What happens to a production key that works: P19 to P24, recertification. */
import { z } from 'zod'
import { instant, keyIdPart, line } from '../fields.ts'
import { defineMail } from '../letter.ts'
import { about, bySide, exampleAbout, factsOf, flat, openRequest, reason } from './production-fields.ts'

const toPractice = { ...exampleAbout, name: 'Theo Placeholder', side: 'practice' } as const

/** P19, to the practice; the developers get the mail of every rotation. */
export const productionRotated = defineMail({
  props: z.object({ ...about, oldStart: keyIdPart, newStart: keyIdPart, at: instant, oldEndsAt: instant }),
  links: [],
  subject: ({ keyName }) => `A key was rotated: ${keyName}`,
  letter: (props, context) => ({
    preview: 'A new secret under the same papers.',
    heading: 'A key was rotated',
    happened: `Hello ${props.name}. ${props.organizationName} put a new key in the place of ${props.keyName}.`,
    means: 'It may do what the old one could, no more, and ends on the same day.',
    todo: 'Nothing. Your console shows both until the old one ends.',
    byWhen: null,
    otherwise: 'The old key ends by itself.',
    action: openRequest(props, 'See the key', context),
    facts: [
      ['When', context.instant(props.at)],
      ['Old key id', props.oldStart],
      ['New key id', props.newStart],
      ['Old key ends', context.instant(props.oldEndsAt)],
      ...factsOf(props),
    ],
  }),
  example: {
    ...toPractice,
    oldStart: 'l4Kx9Qa2',
    newStart: 'l7Pz1Wc8',
    at: '2026-11-20T15:04:00.000Z',
    oldEndsAt: '2026-11-21T15:04:00.000Z',
  },
})

/** P20, to the admins of the practice. */
export const productionRenewalAsked = defineMail({
  props: z.object({ ...about, requestedBy: line, endsAt: instant, lapsesAt: instant }),
  links: [],
  subject: ({ organizationName }) => `May the key of ${organizationName} go on?`,
  letter: (props, context) => ({
    preview: 'One click, if everything is as it was.',
    heading: 'May a key go on?',
    happened: `Hello ${props.name}. ${props.requestedBy} of ${props.organizationName} asks to renew the key ${props.keyName}.`,
    means:
      'The level and the agreed data and purposes stay as they were. The documents are in force and are checked again.',
    todo: 'Confirm with one click, or decline with a reason.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'The key ends on its day, and what uses it stops.',
    action: openRequest(props, 'Confirm or decline', context),
    facts: [['The key ends', context.instant(props.endsAt)], ...factsOf(props)],
  }),
  example: {
    ...toPractice,
    requestedBy: 'Robin Testwell',
    endsAt: '2027-02-18T15:04:00.000Z',
    lapsesAt: '2027-02-10T15:04:00.000Z',
  },
})

export const productionExpiring = defineMail({
  props: z.object({ ...about, days: z.number().int().min(1), expiresAt: instant }),
  links: [],
  subject: ({ keyName, days }) => `Ends in ${days === 1 ? '1 day' : `${days} days`}: ${keyName}`,
  letter: (props, context) => ({
    preview: 'Renew it while it works.',
    heading: 'A production key ends soon',
    happened: `Hello ${props.name}. The production key ${props.keyName} at ${props.practiceName} is near its end.`,
    means: 'A renewal needs one click of the practice, so that it takes a little time.',
    todo: 'Ask for the renewal on the page of the key.',
    byWhen: context.instant(props.expiresAt),
    otherwise: 'The key ends and what uses it gets the answer 401.',
    action: openRequest(props, 'Renew the key', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, days: 14, expiresAt: '2027-02-18T15:04:00.000Z' },
})

/** P21, to both, within the minute. */
export const productionSuspended = defineMail({
  props: z.object({ ...about, cause: line, reason, at: instant, revokesAt: instant.nullable() }),
  links: [],
  subject: ({ keyName }) => `Suspended: ${keyName}`,
  letter: (props, context) => ({
    preview: 'Its next request is refused.',
    heading: 'A production key was suspended',
    happened: `Hello ${props.name}. The key ${props.keyName} of ${props.organizationName} at ${props.practiceName} was suspended. ${props.cause}.`,
    means: 'Every request with it gets the answer 401 from this moment on.',
    todo: bySide(
      props.side,
      'See on the page of the key what would let it work again, and talk to the practice.',
      'If it should work again, see in your console what is missing.',
    ),
    byWhen: props.revokesAt === null ? null : context.instant(props.revokesAt),
    otherwise:
      props.revokesAt === null
        ? 'It stays suspended.'
        : 'Without a sponsor the key is revoked then, and cannot be brought back.',
    action: openRequest(props, 'See the key', context),
    facts: [['Suspended', context.instant(props.at)], ['Reason', flat(props.reason)], ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    cause: 'The BAA is not in force',
    reason: 'Ended by the practice.',
    at: '2026-11-20T15:04:00.000Z',
    revokesAt: null,
  },
})

/** P22, to both. */
export const productionReinstated = defineMail({
  props: z.object({ ...about, reason, at: instant }),
  links: [],
  subject: ({ keyName }) => `Works again: ${keyName}`,
  letter: (props, context) => ({
    preview: 'What it was suspended for is over.',
    heading: 'A production key works again',
    happened: `Hello ${props.name}. The key ${props.keyName} of ${props.organizationName} at ${props.practiceName} works again.`,
    means: 'Every cause of its suspension is over, and every document is in force.',
    todo: bySide(props.side, 'Nothing. Requests are served again.', 'Nothing. Suspend it again at any time.'),
    byWhen: null,
    otherwise: 'It goes on until its day.',
    action: openRequest(props, 'See the key', context),
    facts: [['When', context.instant(props.at)], ['Reason', flat(props.reason)], ...factsOf(props)],
  }),
  example: { ...exampleAbout, reason: 'The BAA is in force again.', at: '2026-11-20T15:04:00.000Z' },
})

/** P23, to both. */
export const productionRevoked = defineMail({
  props: z.object({ ...about, by: line, reason, at: instant }),
  links: [],
  subject: ({ keyName }) => `Revoked: ${keyName}`,
  letter: (props, context) => ({
    preview: 'It no longer works, and this cannot be undone.',
    heading: 'A production key was revoked',
    happened: `Hello ${props.name}. ${props.by} revoked the key ${props.keyName} of ${props.organizationName} at ${props.practiceName}.`,
    means: 'Every request with it gets the answer 401. This cannot be undone.',
    todo: bySide(
      props.side,
      'If you still need access, make a new request. Documents that are in force are not signed again.',
      'Nothing. What the developers hold of your data is governed by the BAA.',
    ),
    byWhen: null,
    otherwise: 'Nothing further happens.',
    action: openRequest(props, 'See what happened', context),
    facts: [['When', context.instant(props.at)], ['Reason', flat(props.reason)], ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    by: 'Theo Placeholder',
    reason: 'The project ended.',
    at: '2026-11-20T15:04:00.000Z',
  },
})

/** P24, to both. */
export const productionExpired = defineMail({
  props: z.object({ ...about, expiredAt: instant, renewUntil: instant }),
  links: [],
  subject: ({ keyName }) => `Ended: ${keyName}`,
  letter: (props, context) => ({
    preview: 'The key came to its day.',
    heading: 'A production key has ended',
    happened: `Hello ${props.name}. The key ${props.keyName} of ${props.organizationName} at ${props.practiceName} came to its end.`,
    means: 'Every request with it gets the answer 401.',
    todo: bySide(props.side, 'If you still need it, ask for a renewal.', 'Nothing.'),
    byWhen: bySide(props.side, context.instant(props.renewUntil), '') || null,
    otherwise: 'After that day it takes a new request.',
    action: openRequest(props, 'See the key', context),
    facts: [['Ended', context.instant(props.expiredAt)], ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    expiredAt: '2027-02-18T15:04:00.000Z',
    renewUntil: '2027-03-20T15:04:00.000Z',
  },
})

/** To the admins of the practice, once a year. */
export const recertificationDue = defineMail({
  props: z.object({ ...about, dueAt: instant }),
  links: [],
  subject: ({ organizationName }) => `Still right? ${organizationName}`,
  letter: (props, context) => ({
    preview: 'Once a year you say whether a key may go on.',
    heading: 'Is this still right?',
    happened: `Hello ${props.name}. A year ago you let the key ${props.keyName} of ${props.organizationName} reach ${props.practiceName}.`,
    means: 'Once a year an admin of the practice looks at who, what and why, and says that it may go on.',
    todo: 'Look at it in your console, and confirm it or end it.',
    byWhen: context.instant(props.dueAt),
    otherwise: 'The key is suspended until you confirm it.',
    action: { label: 'Look at it', url: context.page('/practice/recertification') },
    facts: factsOf(props),
  }),
  example: { ...toPractice, dueAt: '2027-12-20T17:00:00.000Z' },
})
