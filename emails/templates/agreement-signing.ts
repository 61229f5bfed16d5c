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
  subject: ({ documentName }) => `Please sign: ${documentName}`,
  letter: (props, context) => ({
    preview: 'Read it, then sign it or propose a change.',
    heading: 'An agreement needs your signature',
    happened: `Hello ${props.name}. You are named as the signatory of ${between(props)}.`,
    means:
      'Your signature covers exactly the document you see. Its fingerprint (SHA-256) is below, so any later change would show.',
    todo: 'Read the agreement and save a copy if you like. Then sign it, or propose a change. You need your password to sign.',
    byWhen: context.instant(props.withdrawnAt),
    otherwise:
      'We send reminders after 7, 14 and 21 days. After 60 days without activity the agreement is withdrawn.',
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
    preview: props.yours ? 'Your copy is on the agreement’s page.' : 'The other side has signed.',
    heading: props.yours ? 'You signed' : 'The other side has signed',
    happened: `Hello ${props.name}. ${props.yours ? 'You' : 'The other side'} signed ${between(props)}.`,
    means: props.yours
      ? 'It takes effect when the other side signs. You can download a copy of what you signed.'
      : 'It takes effect when you sign the same document.',
    todo: props.yours
      ? 'Nothing. If this wasn’t you, contact us at once.'
      : 'Read it, then sign it or propose a change.',
    byWhen: null,
    otherwise: props.yours
      ? 'We email you when it takes effect.'
      : 'It stays unsigned. After 60 days without activity it is withdrawn.',
    action: openAgreement(props, props.yours ? 'View agreement' : 'Read and sign', context),
    facts: agreementFacts(props),
  }),
  example: { ...exampleAgreement, yours: false },
})

export const agreementCounterSign = defineMail({
  props: z.object(aboutAgreement),
  links: [],
  subject: ({ organizationName }) => `Countersignature needed: ${organizationName}`,
  letter: (props, context) => ({
    preview: 'The developer has signed. Our signature is missing.',
    heading: 'An agreement needs our signature',
    happened: `Hello ${props.name}. ${props.organizationName} has signed the usage agreement.`,
    means: 'It takes effect when an operator signs for us.',
    todo: 'Review the agreement, then sign it.',
    byWhen: null,
    otherwise: 'The developer keeps waiting.',
    action: openAgreement(props, 'Open agreements', context),
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
  subject: ({ documentName }) => `Signed by everyone: ${documentName}`,
  letter: (props, context) => ({
    preview: 'You can download the signed document.',
    heading: 'Everyone has signed',
    happened: `Hello ${props.name}. Everyone has signed ${between(props)}.`,
    means: `It is in force from ${context.instant(props.effectiveAt)} until ${context.instant(props.expiresAt)}. We keep it for six years after that.`,
    todo: 'Save the signed document. Anyone who has the file can check on our website that it is unchanged.',
    byWhen: null,
    otherwise: 'You can download it later from the agreement’s page.',
    action: openAgreement(props, 'Download document', context),
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
    rejected ? `Rejected: ${documentName}` : `New version: ${documentName}`,
  letter: (props, context) => ({
    preview: 'Earlier signatures no longer count.',
    heading: props.rejected ? 'This version was rejected' : 'There is a new version',
    happened: `Hello ${props.name}. ${props.rejected ? 'One side rejected the current version of' : 'There is a new version of'} ${between(props)}.`,
    means: `Signatures on the earlier version no longer count. Comment: ${flat(props.comment)}`,
    todo: props.rejected
      ? 'Propose a change or withdraw the agreement.'
      : 'Read the new version, then sign it or propose a change.',
    byWhen: null,
    otherwise: 'It stays unsigned. After 60 days without activity it is withdrawn.',
    action: openAgreement(props, 'Open agreement', context),
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
  subject: ({ documentName }) => `Reminder: please sign: ${documentName}`,
  letter: (props, context) => ({
    preview: 'Your signature is missing.',
    heading: 'An agreement still needs your signature',
    happened: `Hello ${props.name}. Your signature is still missing on ${between(props)}.`,
    means: `If no one acts by ${context.instant(props.stalledAt)}, we mark the agreement and its request as stalled.`,
    todo: 'Sign it, propose a change or reject it.',
    byWhen: context.instant(props.withdrawnAt),
    otherwise: 'The agreement is withdrawn.',
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
    preview: 'No activity for 30 days.',
    heading: 'An agreement has stalled',
    happened: `Hello ${props.name}. There has been no activity for 30 days on ${between(props)}.`,
    means: 'We marked it as stalled. Existing signatures still count.',
    todo: 'Sign it, propose a change, or withdraw it.',
    byWhen: context.instant(props.withdrawnAt),
    otherwise: 'The agreement is withdrawn.',
    action: openAgreement(props, 'Open agreement', context),
    facts: agreementFacts(props),
  }),
  example: { ...exampleAgreement, withdrawnAt: '2027-01-19T17:00:00.000Z' },
})

export const agreementClosed = defineMail({
  props: z.object({ ...aboutAgreement, reason: words }),
  links: [],
  subject: ({ documentName }) => `Withdrawn: ${documentName}`,
  letter: (props, context) => ({
    preview: 'It can no longer be signed.',
    heading: 'An agreement was withdrawn',
    happened: `Hello ${props.name}. It is no longer possible to sign ${between(props)}.`,
    means: `Reason: ${flat(props.reason)}`,
    todo: 'Nothing. If the developer submits a new request, you get a new agreement.',
    byWhen: null,
    otherwise: 'The agreement stays withdrawn.',
    action: openAgreement(props, 'View agreement', context),
    facts: agreementFacts(props),
  }),
  example: { ...exampleAgreement, reason: 'There was no activity for 60 days.' },
})
