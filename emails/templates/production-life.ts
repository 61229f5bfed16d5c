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
    preview: 'A new key, with the same access and agreements.',
    heading: 'A key was rotated',
    happened: `Hello ${props.name}. ${props.organizationName} rotated the key ${props.keyName}.`,
    means: 'The company replaced its key. The new key has the same access and expires on the same day.',
    todo: 'Nothing. Your console shows both keys until the old one expires.',
    byWhen: null,
    otherwise: 'The old key expires on its own.',
    action: openRequest(props, 'View key', context),
    facts: [
      ['When', context.instant(props.at)],
      ['Old key ID', props.oldStart],
      ['New key ID', props.newStart],
      ['Old key expires', context.instant(props.oldEndsAt)],
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
  subject: ({ organizationName }) => `Renew the key of ${organizationName}?`,
  letter: (props, context) => ({
    preview: 'One click if nothing has changed.',
    heading: 'A key is up for renewal',
    happened: `Hello ${props.name}. ${props.requestedBy} of ${props.organizationName} requests renewal of the key ${props.keyName}.`,
    means:
      'The access level and the agreed data and purposes stay the same. The agreements are in force and will be checked again.',
    todo: 'Confirm with one click, or decline and give a reason.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'The key expires, and anything that uses it stops working.',
    action: openRequest(props, 'Confirm or decline', context),
    facts: [['Key expires', context.instant(props.endsAt)], ...factsOf(props)],
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
  subject: ({ keyName, days }) => `Expires in ${days === 1 ? '1 day' : `${days} days`}: ${keyName}`,
  letter: (props, context) => ({
    preview: 'Renew it before it expires.',
    heading: 'A production key expires soon',
    happened: `Hello ${props.name}. The production key ${props.keyName} at ${props.practiceName} expires soon.`,
    means: 'The practice must confirm the renewal, so allow some time.',
    todo: 'Request renewal on the key’s page.',
    byWhen: context.instant(props.expiresAt),
    otherwise: 'The key expires. Anything that still uses it gets a 401 response.',
    action: openRequest(props, 'Renew key', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, days: 14, expiresAt: '2027-02-18T15:04:00.000Z' },
})

/** P21, to both, within the minute. */
export const productionSuspended = defineMail({
  props: z.object({ ...about, cause: line, next: line, reason, at: instant, revokesAt: instant.nullable() }),
  links: [],
  subject: ({ keyName }) => `Suspended: ${keyName}`,
  letter: (props, context) => ({
    preview: 'Its requests are refused.',
    heading: 'A production key was suspended',
    happened: `Hello ${props.name}. The key ${props.keyName} of ${props.organizationName} at ${props.practiceName} was suspended. ${props.cause}.`,
    means: bySide(
      props.side,
      'Every request with it now gets a 401 response.',
      'It can’t read your records until the suspension ends.',
    ),
    todo: bySide(
      props.side,
      `${props.next} The page “Production keys / ${props.keyName}” shows the state of the key.`,
      'If the key should work again, open it in the practice console to see what is missing.',
    ),
    byWhen: props.revokesAt === null ? null : context.instant(props.revokesAt),
    otherwise:
      props.revokesAt === null
        ? 'The key stays suspended.'
        : 'Without a sponsor, the key is then revoked and cannot be restored.',
    action: openRequest(props, 'View key', context),
    facts: [['Suspended', context.instant(props.at)], ['Reason', flat(props.reason)], ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    cause: 'The BAA is not in force',
    next: 'Sign a new BAA with the practice.',
    reason: 'Ended by the practice.',
    at: '2026-11-20T15:04:00.000Z',
    revokesAt: null,
  },
})

/** P22, to both. */
export const productionReinstated = defineMail({
  props: z.object({ ...about, reason, at: instant }),
  links: [],
  subject: ({ keyName }) => `Active again: ${keyName}`,
  letter: (props, context) => ({
    preview: 'The suspension has ended.',
    heading: 'A production key is active again',
    happened: `Hello ${props.name}. The key ${props.keyName} of ${props.organizationName} at ${props.practiceName} is active again.`,
    means: 'All causes of the suspension are resolved, and every agreement is in force.',
    todo: bySide(
      props.side,
      'Nothing. Requests work again.',
      'Nothing. You can suspend it again at any time.',
    ),
    byWhen: null,
    otherwise: 'It works until it expires.',
    action: openRequest(props, 'View key', context),
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
    means: bySide(
      props.side,
      'Every request with it gets a 401 response. This cannot be undone.',
      'It can no longer read your records. This cannot be undone.',
    ),
    todo: bySide(
      props.side,
      'If you still need access, submit a new request. Agreements in force don’t have to be signed again.',
      'Nothing. For data that the developer still has, the business associate agreement (BAA) applies.',
    ),
    byWhen: null,
    otherwise: 'Nothing else happens.',
    action: openRequest(props, 'View request', context),
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
  subject: ({ keyName }) => `Expired: ${keyName}`,
  letter: (props, context) => ({
    preview: 'The key no longer works.',
    heading: 'A production key has expired',
    happened: `Hello ${props.name}. The key ${props.keyName} of ${props.organizationName} at ${props.practiceName} has expired.`,
    means: bySide(
      props.side,
      'Every request with it gets a 401 response.',
      'It can no longer read your records.',
    ),
    todo: bySide(props.side, 'If you still need it, request renewal.', 'Nothing.'),
    byWhen: bySide(props.side, context.instant(props.renewUntil), '') || null,
    otherwise: bySide(
      props.side,
      'After that day you need a new request.',
      'The key stays expired unless you confirm a renewal.',
    ),
    action: openRequest(props, 'View key', context),
    facts: [['Expired', context.instant(props.expiredAt)], ...factsOf(props)],
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
  subject: ({ organizationName }) => `Annual review: ${organizationName}`,
  letter: (props, context) => ({
    preview: 'Once a year, a practice reviews each key.',
    heading: 'Annual access review',
    happened: `Hello ${props.name}. A year ago, your practice gave ${props.organizationName} access to the records of ${props.practiceName} with the key ${props.keyName}.`,
    means: 'Once a year, an admin of the practice checks that the company still needs this access.',
    todo: 'Open the key in the practice console. Confirm that it is still needed, or end it.',
    byWhen: context.instant(props.dueAt),
    otherwise: 'The key is suspended until you confirm it.',
    action: { label: 'Review key', url: context.page('/practice/recertification') },
    facts: factsOf(props),
  }),
  example: { ...toPractice, dueAt: '2027-12-20T17:00:00.000Z' },
})
