/** Mails of an agreement that comes to its end, and of what is owed after a BAA. */
import { z } from 'zod'
import { instant } from '../fields.ts'
import { defineMail } from '../letter.ts'
import {
  aboutAgreement,
  agreementFacts,
  between,
  exampleAgreement,
  openAgreement,
} from './agreement-fields.ts'
import { flat, words } from './registration-fields.ts'

const keysStop = 'Production keys that depend on it stop working then.'

export const agreementExpiring = defineMail({
  props: z.object({
    ...aboutAgreement,
    endsAt: instant,
    days: z.number().int().min(1).max(30),
    renewable: z.boolean(),
  }),
  links: [],
  subject: ({ documentName, days }) => `Expires in ${days === 1 ? '1 day' : `${days} days`}: ${documentName}`,
  letter: (props, context) => ({
    preview: keysStop,
    heading: 'An agreement is about to expire',
    happened: `Hello ${props.name}. On ${context.instant(props.endsAt)}, ${between(props)} expires.`,
    means: keysStop,
    todo: props.renewable
      ? 'Renew it if you want to continue. Both sides sign again.'
      : 'Plan to stop using the keys by that date. Notice has been given.',
    byWhen: context.instant(props.endsAt),
    otherwise: 'It expires, and the keys stop working.',
    action: openAgreement(props, props.renewable ? 'Renew it' : 'View agreement', context),
    facts: agreementFacts(props),
  }),
  example: { ...exampleAgreement, endsAt: '2027-11-21T05:00:00.000Z', days: 14, renewable: true },
})

export const agreementNotice = defineMail({
  props: z.object({ ...aboutAgreement, endsAt: instant, reason: words }),
  links: [],
  subject: ({ documentName }) => `Notice given: ${documentName}`,
  letter: (props, context) => ({
    preview: keysStop,
    heading: 'An agreement will end',
    happened: `Hello ${props.name}. One side gave notice to end ${between(props)}.`,
    means: `It ends on ${context.instant(props.endsAt)}. ${keysStop} Reason: ${flat(props.reason)}`,
    todo: 'Plan to stop using the keys by that date.',
    byWhen: context.instant(props.endsAt),
    otherwise: 'It ends on that day.',
    action: openAgreement(props, 'View agreement', context),
    facts: agreementFacts(props),
  }),
  example: { ...exampleAgreement, endsAt: '2026-12-21T05:00:00.000Z', reason: 'The project is over.' },
})

export const agreementEnded = defineMail({
  props: z.object({
    ...aboutAgreement,
    expired: z.boolean(),
    endedAt: instant,
    reason: words,
    /** When the reader owes the return or destruction of data. */
    returnBy: instant.nullable(),
  }),
  links: [],
  subject: ({ documentName, expired }) => `${expired ? 'Expired' : 'Terminated'}: ${documentName}`,
  letter: (props, context) => ({
    preview: 'Production keys that depend on it have stopped working.',
    heading: props.expired ? 'An agreement expired' : 'An agreement was terminated',
    happened: `Hello ${props.name}. On ${context.instant(props.endedAt)}, ${between(props)} ended.`,
    means: `Production keys that depend on it have stopped working. Reason: ${flat(props.reason)}`,
    todo:
      props.returnBy === null
        ? 'Nothing. You can download the signed document for six years.'
        : 'Return or destroy the practice’s data, then state on the agreement’s page which you did.',
    byWhen: props.returnBy === null ? null : context.instant(props.returnBy),
    otherwise:
      props.returnBy === null
        ? 'The agreement stays ended.'
        : 'We send a reminder, and the practice sees that your statement is missing.',
    action: openAgreement(props, props.returnBy === null ? 'View agreement' : 'Attest', context),
    facts: agreementFacts(props),
  }),
  example: {
    ...exampleAgreement,
    page: '/organizations/samplewood-health-apps/agreements/01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
    expired: false,
    endedAt: '2026-11-20T17:00:00.000Z',
    reason: 'The project is over.',
    returnBy: '2026-12-20T17:00:00.000Z',
  },
})

export const agreementReturnDue = defineMail({
  props: z.object({ ...aboutAgreement, dueAt: instant, yours: z.boolean() }),
  links: [],
  subject: () => 'Overdue: return or destruction of data',
  letter: (props, context) => ({
    preview: 'The developer’s statement is missing.',
    heading: 'The return or destruction of data is overdue',
    happened: `Hello ${props.name}. ${props.yours ? 'You' : props.organizationName} had to return or destroy the practice’s data by ${context.instant(props.dueAt)}, after the end of ${between(props)}.`,
    means: props.yours
      ? 'You haven’t stated yet which you did.'
      : 'The developer hasn’t stated yet which it did.',
    todo: props.yours
      ? 'Return or destroy the data, then state on the agreement’s page which you did.'
      : 'Contact the developer. The agreement names the person to contact.',
    byWhen: null,
    otherwise: 'It stays overdue, and both sides see that.',
    action: openAgreement(props, props.yours ? 'Attest' : 'View agreement', context),
    facts: agreementFacts(props),
  }),
  example: { ...exampleAgreement, dueAt: '2026-12-20T17:00:00.000Z', yours: false },
})

const outcomeWords = {
  returned: 'The data was returned, and no copy was kept.',
  destroyed: 'The data was destroyed.',
  infeasible: 'Some of the data could not be returned or destroyed. It stays protected.',
} as const

export const agreementReturned = defineMail({
  props: z.object({
    ...aboutAgreement,
    outcome: z.enum(['returned', 'destroyed', 'infeasible']),
    statement: words,
  }),
  links: [],
  subject: ({ organizationName }) => `Data returned or destroyed: ${organizationName}`,
  letter: (props, context) => ({
    preview: outcomeWords[props.outcome],
    heading: 'The developer stated what happened to your data',
    happened: `Hello ${props.name}. ${props.organizationName} stated what happened to your practice’s data after the end of ${between(props)}.`,
    means: `${outcomeWords[props.outcome]} Their statement: ${flat(props.statement)}`,
    todo: 'Nothing. Keep this for your records.',
    byWhen: null,
    otherwise: 'You find the statement on the agreement’s page.',
    action: openAgreement(props, 'View agreement', context),
    facts: agreementFacts(props),
  }),
  example: {
    ...exampleAgreement,
    outcome: 'destroyed',
    statement: 'All copies and backups were wiped on 1 December.',
  },
})
