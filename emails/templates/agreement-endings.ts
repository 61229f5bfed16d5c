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

const keysStop = 'Production keys that need it stop at that moment.'

export const agreementExpiring = defineMail({
  props: z.object({
    ...aboutAgreement,
    endsAt: instant,
    days: z.number().int().min(1).max(30),
    renewable: z.boolean(),
  }),
  links: [],
  subject: ({ documentName, days }) => `Ends in ${days === 1 ? 'a day' : `${days} days`}: ${documentName}`,
  letter: (props, context) => ({
    preview: keysStop,
    heading: 'A document comes to its end',
    happened: `Hello ${props.name}. On ${context.instant(props.endsAt)} ends ${between(props)}.`,
    means: keysStop,
    todo: props.renewable
      ? 'If you want to go on, renew it. Both sides sign again.'
      : 'Prepare for the end: notice was given.',
    byWhen: context.instant(props.endsAt),
    otherwise: 'It ends, and the keys stop.',
    action: openAgreement(props, props.renewable ? 'Renew it' : 'See it', context),
    facts: agreementFacts(props),
  }),
  example: { ...exampleAgreement, endsAt: '2027-11-21T05:00:00.000Z', days: 14, renewable: true },
})

export const agreementNotice = defineMail({
  props: z.object({ ...aboutAgreement, endsAt: instant, reason: words }),
  links: [],
  subject: ({ documentName }) => `Notice was given: ${documentName}`,
  letter: (props, context) => ({
    preview: keysStop,
    heading: 'Notice was given',
    happened: `Hello ${props.name}. Notice was given for ${between(props)}.`,
    means: `It ends on ${context.instant(props.endsAt)}. ${keysStop} Why: ${flat(props.reason)}`,
    todo: 'Prepare for the end.',
    byWhen: context.instant(props.endsAt),
    otherwise: 'It ends on that day.',
    action: openAgreement(props, 'See it', context),
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
    preview: 'Production keys that need it have stopped.',
    heading: props.expired ? 'A document expired' : 'A document was terminated',
    happened: `Hello ${props.name}. On ${context.instant(props.endedAt)} ended ${between(props)}.`,
    means: `Production keys that need it have stopped. Why: ${flat(props.reason)}`,
    todo:
      props.returnBy === null
        ? 'Nothing. The executed document stays on its page for six years.'
        : 'Return or destroy what you have of the practice’s data, and attest it on the page of the document.',
    byWhen: props.returnBy === null ? null : context.instant(props.returnBy),
    otherwise:
      props.returnBy === null ? 'It stays ended.' : 'We remind you, and the practice sees that it is owed.',
    action: openAgreement(props, props.returnBy === null ? 'See it' : 'Attest it', context),
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
    preview: 'Nobody has attested it.',
    heading: 'Return or destruction of data is overdue',
    happened: `Hello ${props.name}. On ${context.instant(props.dueAt)} the time was over in which data is returned or destroyed after ${between(props)}.`,
    means: 'Nobody of the developer has attested what was done.',
    todo: props.yours
      ? 'Do it, and attest it on the page of the document.'
      : 'Speak with the developer, whose contact stands in the document.',
    byWhen: null,
    otherwise: 'It stays owed, and both sides see it.',
    action: openAgreement(props, props.yours ? 'Attest it' : 'See it', context),
    facts: agreementFacts(props),
  }),
  example: { ...exampleAgreement, dueAt: '2026-12-20T17:00:00.000Z', yours: false },
})

const outcomeWords = {
  returned: 'The data was returned, and no copy was kept.',
  destroyed: 'The data was destroyed.',
  infeasible: 'Some of the data could be neither returned nor destroyed, and stays protected.',
} as const

export const agreementReturned = defineMail({
  props: z.object({
    ...aboutAgreement,
    outcome: z.enum(['returned', 'destroyed', 'infeasible']),
    statement: words,
  }),
  links: [],
  subject: () => 'Attested: return or destruction of data',
  letter: (props, context) => ({
    preview: outcomeWords[props.outcome],
    heading: 'Return or destruction was attested',
    happened: `Hello ${props.name}. ${props.organizationName} attested what was done with the data after ${between(props)}.`,
    means: `${outcomeWords[props.outcome]} In their words: ${flat(props.statement)}`,
    todo: 'Nothing. Keep it with your records.',
    byWhen: null,
    otherwise: 'It stays on the page of the document.',
    action: openAgreement(props, 'See it', context),
    facts: agreementFacts(props),
  }),
  example: {
    ...exampleAgreement,
    outcome: 'destroyed',
    statement: 'All copies and backups were wiped on 1 December.',
  },
})
