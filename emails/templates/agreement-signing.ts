/** Mails of an agreement on its way to the last signature. */
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

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const exampleSha256 = '3f0a51c2d4b6e8971f0a51c2d4b6e8971f0a51c2d4b6e8971f0a51c2d4b6e897'

export const agreementOffered = defineMail({
  props: z.object({ ...aboutAgreement, sha256, withdrawnAt: instant }),
  links: [],
  subject: ({ documentName }) => `To sign: ${documentName}`,
  letter: (props, context) => ({
    preview: 'Read it, and sign it or propose a change.',
    heading: 'A document waits for your signature',
    happened: `Hello ${props.name}. We offer you ${between(props)}, and you are named as who signs.`,
    means: 'You sign exactly the bytes that you are shown. They are named by the SHA-256 below.',
    todo: 'Read it, save a copy if you like, and sign it. You will be asked for your password.',
    byWhen: context.instant(props.withdrawnAt),
    otherwise: 'We remind you after 7, 14 and 21 days. After 60 silent days it is withdrawn.',
    action: openAgreement(props, 'Read and sign', context),
    facts: [...agreementFacts(props), ['SHA-256', props.sha256]],
  }),
  example: { ...exampleAgreement, sha256: exampleSha256, withdrawnAt: '2027-01-19T17:00:00.000Z' },
})

export const agreementSigned = defineMail({
  props: z.object({ ...aboutAgreement, yours: z.boolean() }),
  links: [],
  subject: ({ documentName, yours }) =>
    yours ? `You signed: ${documentName}` : `Your turn: ${documentName}`,
  letter: (props, context) => ({
    preview: props.yours ? 'Your copy lies on its page.' : 'The other side has signed.',
    heading: props.yours ? 'You signed' : 'The other side has signed',
    happened: `Hello ${props.name}. ${props.yours ? 'You' : 'The other side'} signed ${between(props)}.`,
    means: props.yours
      ? 'It is in force when the other signature is there. A copy of what you signed lies on its page.'
      : 'It is in force when you have signed the same bytes.',
    todo: props.yours
      ? 'Nothing. If it was not you, tell us at once.'
      : 'Read it, and sign it or propose a change.',
    byWhen: null,
    otherwise: props.yours
      ? 'We tell you when it is in force.'
      : 'It waits. After 60 silent days it is withdrawn.',
    action: openAgreement(props, props.yours ? 'See it and save a copy' : 'Read and sign', context),
    facts: agreementFacts(props),
  }),
  example: { ...exampleAgreement, yours: false },
})

export const agreementCounterSign = defineMail({
  props: z.object(aboutAgreement),
  links: [],
  subject: ({ organizationName }) => `To counter-sign: ${organizationName}`,
  letter: (props, context) => ({
    preview: 'The developer has signed.',
    heading: 'A document waits for our signature',
    happened: `Hello ${props.name}. A signature is there on ${between(props)}.`,
    means: 'It is in force when one of operations has signed for us.',
    todo: 'Look at it, and sign it.',
    byWhen: null,
    otherwise: 'The developer waits.',
    action: openAgreement(props, 'Open the list', context),
    facts: agreementFacts(props),
  }),
  example: {
    ...exampleAgreement,
    documentName: 'Usage agreement',
    practiceName: null,
    page: '/staff/agreements',
  },
})

export const agreementExecuted = defineMail({
  props: z.object({ ...aboutAgreement, sha256, effectiveAt: instant, expiresAt: instant }),
  links: [],
  subject: ({ documentName }) => `Signed by all: ${documentName}`,
  letter: (props, context) => ({
    preview: 'The executed document lies on its page.',
    heading: 'Everybody has signed',
    happened: `Hello ${props.name}. The last signature on ${between(props)} is there.`,
    means: `It is in force from ${context.instant(props.effectiveAt)} until ${context.instant(props.expiresAt)}. We keep it for six years after its end.`,
    todo: 'Save the executed document. Anybody who has the file can check it by its SHA-256.',
    byWhen: null,
    otherwise: 'It stays on its page.',
    action: openAgreement(props, 'Save the document', context),
    facts: [...agreementFacts(props), ['SHA-256', props.sha256]],
  }),
  example: {
    ...exampleAgreement,
    sha256: exampleSha256,
    effectiveAt: '2026-11-20T17:00:00.000Z',
    expiresAt: '2027-11-21T05:00:00.000Z',
  },
})

export const agreementChanged = defineMail({
  props: z.object({ ...aboutAgreement, comment: words, rejected: z.boolean() }),
  links: [],
  subject: ({ documentName, rejected }) =>
    rejected ? `Rejected: ${documentName}` : `A new version: ${documentName}`,
  letter: (props, context) => ({
    preview: 'What was signed before does not count.',
    heading: props.rejected ? 'This version was rejected' : 'There is a new version',
    happened: `Hello ${props.name}. ${props.rejected ? 'One side rejected the present version of' : 'There is a new version of'} ${between(props)}.`,
    means: `Signatures on the version before do not count. What was said: ${flat(props.comment)}`,
    todo: props.rejected
      ? 'Propose a change, or withdraw it.'
      : 'Read the new version, and sign it or propose a change.',
    byWhen: null,
    otherwise: 'It waits. After 60 silent days it is withdrawn.',
    action: openAgreement(props, 'Open it', context),
    facts: agreementFacts(props),
  }),
  example: {
    ...exampleAgreement,
    comment: 'Please give notice of a breach within 24 hours.',
    rejected: false,
  },
})

export const agreementReminder = defineMail({
  props: z.object({ ...aboutAgreement, stalledAt: instant, withdrawnAt: instant }),
  links: [],
  subject: ({ documentName }) => `Still to sign: ${documentName}`,
  letter: (props, context) => ({
    preview: 'It waits for your signature.',
    heading: 'A document still waits for your signature',
    happened: `Hello ${props.name}. Nobody has moved ${between(props)} for some days, and your signature is missing.`,
    means: `On ${context.instant(props.stalledAt)} it counts as stalled, and the request with it.`,
    todo: 'Sign it, propose a change, or reject it.',
    byWhen: context.instant(props.withdrawnAt),
    otherwise: 'Then it is withdrawn.',
    action: openAgreement(props, 'Read and sign', context),
    facts: agreementFacts(props),
  }),
  example: {
    ...exampleAgreement,
    stalledAt: '2026-12-20T17:00:00.000Z',
    withdrawnAt: '2027-01-19T17:00:00.000Z',
  },
})

export const agreementStalled = defineMail({
  props: z.object({ ...aboutAgreement, withdrawnAt: instant }),
  links: [],
  subject: ({ documentName }) => `Stalled: ${documentName}`,
  letter: (props, context) => ({
    preview: 'Nobody moved it for 30 days.',
    heading: 'Nobody moved it for 30 days',
    happened: `Hello ${props.name}. Nobody has moved ${between(props)} for 30 days.`,
    means: 'It counts as stalled. Signatures that are there still count.',
    todo: 'Open it and take it up again, or withdraw it.',
    byWhen: context.instant(props.withdrawnAt),
    otherwise: 'Then it is withdrawn.',
    action: openAgreement(props, 'Take it up again', context),
    facts: agreementFacts(props),
  }),
  example: { ...exampleAgreement, withdrawnAt: '2027-01-19T17:00:00.000Z' },
})

export const agreementClosed = defineMail({
  props: z.object({ ...aboutAgreement, reason: words }),
  links: [],
  subject: ({ documentName }) => `Withdrawn: ${documentName}`,
  letter: (props, context) => ({
    preview: 'Nobody signs it any more.',
    heading: 'A document was withdrawn',
    happened: `Hello ${props.name}. Nobody can sign ${between(props)} any more.`,
    means: `Why: ${flat(props.reason)}`,
    todo: 'Nothing. A new request offers a new document.',
    byWhen: null,
    otherwise: 'It stays withdrawn.',
    action: openAgreement(props, 'See it', context),
    facts: agreementFacts(props),
  }),
  example: { ...exampleAgreement, reason: 'Nobody moved it for 60 days.' },
})
