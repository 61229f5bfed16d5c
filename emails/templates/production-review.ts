/** The review of a production key, the claim of the key, and the end of a request: P14 to P18. */
import { z } from 'zod'
import { instant, keyIdPart, line } from '../fields.ts'
import { defineMail } from '../letter.ts'
import { about, bySide, exampleAbout, factsOf, flat, openRequest, reason } from './production-fields.ts'

const items = z
  .array(z.object({ sentence: line, text: reason }))
  .min(1)
  .max(40)
const exampleItems = [
  { sentence: 'An answer in the security profile is unclear.', text: 'Tell us more about: backups.' },
]
const listItems = (given: z.output<typeof items>): [string, string][] =>
  given.map(({ sentence, text }, place) => [`${place + 1}. ${sentence.replace(/\.$/, '')}`, flat(text)])

/** P14 */
export const productionNeedsInfo = defineMail({
  props: z.object({ ...about, items, lapsesAt: instant }),
  links: [],
  subject: ({ keyName }) => `More information needed: ${keyName}`,
  letter: (props, context) => ({
    preview: 'The review continues when you answer.',
    heading: 'We need more information',
    happened: `Hello ${props.name}. A reviewer looked at the production key ${props.keyName} and needs the answers listed below.`,
    means: 'The review clock is paused until you answer.',
    todo: 'Answer every item on the request’s page.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'After 30 days without activity the request is withdrawn. Signed agreements stay in force.',
    action: openRequest(props, 'Answer', context),
    facts: [...listItems(props.items), ...factsOf(props)],
  }),
  example: { ...exampleAbout, items: exampleItems, lapsesAt: '2026-12-20T17:00:00.000Z' },
})

export const productionInfoReminder = defineMail({
  props: z.object({ ...about, lapsesAt: instant }),
  links: [],
  subject: ({ keyName }) => `Answers still needed: ${keyName}`,
  letter: (props, context) => ({
    preview: 'The review continues when you answer.',
    heading: 'The review needs your answers',
    happened: `Hello ${props.name}. A reviewer has questions about the production key ${props.keyName}.`,
    means: 'The review clock is paused until you answer.',
    todo: 'Answer every item on the request’s page.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'The request is withdrawn. Signed agreements stay in force.',
    action: openRequest(props, 'Answer', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, lapsesAt: '2026-12-20T17:00:00.000Z' },
})

/** P15 to developers; to the practice, that the key can be claimed. */
export const productionApproved = defineMail({
  props: z.object({ ...about, renewal: z.boolean() }),
  links: [],
  subject: ({ keyName }) => `Approved: ${keyName}`,
  letter: (props, context) => ({
    preview: 'Every agreement is in force.',
    heading: props.renewal ? 'The key’s renewal is approved' : 'The production key is approved',
    happened: `Hello ${props.name}. The production key ${props.keyName} of ${props.organizationName} at ${props.practiceName} is approved.`,
    means: 'The usage agreement, the usage policy, the BAA and the sponsorship are in force.',
    todo: bySide(
      props.side,
      'Look for the email with the claim link. It goes to the person who requested the key.',
      'Nothing. We email you when the key is active, and you can suspend it at any time.',
    ),
    byWhen: null,
    otherwise: 'The key is created only when it is claimed.',
    action: openRequest(props, 'View request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, renewal: false },
})

/** P16 */
export const productionRejected = defineMail({
  props: z.object({ ...about, items, text: reason, appealUntil: instant }),
  links: [],
  subject: ({ keyName }) => `Rejected: ${keyName}`,
  letter: (props, context) => ({
    preview: 'Two reviewers decided. The email has their reason.',
    heading: 'The production key request was rejected',
    happened: `Hello ${props.name}. Two reviewers rejected the production key ${props.keyName}. ${flat(props.text)}`,
    means: 'No key is created. What needs to change is listed below.',
    todo: 'If you think the decision is wrong, appeal. Different reviewers handle the appeal.',
    byWhen: context.instant(props.appealUntil),
    otherwise: 'The request stays rejected. You can submit a new one at any time.',
    action: openRequest(props, 'View request', context),
    facts: [...listItems(props.items), ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    items: [
      {
        sentence: 'The request asks for more access than its purpose needs.',
        text: 'Request a lower access level.',
      },
    ],
    text: 'Read access is enough for what you describe.',
    appealUntil: '2026-12-20T17:00:00.000Z',
  },
})

/** P17 */
export const productionClaim = defineMail({
  props: z.object({ ...about, expiresAt: instant, again: z.boolean() }),
  links: ['claimUrl'],
  subject: ({ keyName }) => `Claim your production key: ${keyName}`,
  letter: (props, { links, instant: at }) => ({
    preview: 'The link works once. The key itself is never emailed.',
    heading: 'Your production key is ready to claim',
    happened: props.again
      ? `Hello ${props.name}. Here is a new link for ${props.keyName}. Earlier links no longer work.`
      : `Hello ${props.name}. The production key ${props.keyName} at ${props.practiceName} was approved.`,
    means: 'The key is created when you claim it and shown once, only to you. We keep no copy.',
    todo: 'Open the link, sign in, and store the key on your server. Never put it in a browser or an app.',
    byWhen: at(props.expiresAt),
    otherwise: 'The link expires and no key is created. You can request a new link up to three times.',
    action: { label: 'Claim key', url: links.claimUrl },
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, expiresAt: '2026-11-23T15:04:00.000Z', again: false },
})

export const productionClaimExpired = defineMail({
  props: z.object({ ...about, reissuesLeft: z.number().int().min(0) }),
  links: [],
  subject: ({ keyName }) => `Claim link expired: ${keyName}`,
  letter: (props, context) => ({
    preview: 'The key was not claimed.',
    heading: 'The claim link has expired',
    happened: `Hello ${props.name}. The production key ${props.keyName} was not claimed within 72 hours.`,
    means: 'No key was created.',
    todo:
      props.reissuesLeft > 0
        ? 'When you are ready, request a new link on the request’s page.'
        : 'No links are left. Submit a new request.',
    byWhen: null,
    otherwise: 'The request stays unclaimed.',
    action: openRequest(props, 'Open request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, reissuesLeft: 3 },
})

/** P18, to both. */
export const productionRevealed = defineMail({
  props: z.object({ ...about, prefixStart: keyIdPart, at: instant, by: line, expiresAt: instant }),
  links: [],
  subject: ({ keyName }) => `Production key active: ${keyName}`,
  letter: (props, context) => ({
    preview: 'It was shown once, to the person who requested it.',
    heading: 'A production key is active',
    happened: `Hello ${props.name}. ${props.by} of ${props.organizationName} claimed the key ${props.keyName}. It gives access to the records of ${props.practiceName}.`,
    means: 'The key works from now on, and every request with it is logged.',
    todo: bySide(
      props.side,
      'If this wasn’t your colleague, revoke the key at once.',
      'Nothing. Your console shows its activity. You can suspend or revoke it at any time.',
    ),
    byWhen: null,
    otherwise: 'It works until it expires, or until an agreement or the sponsorship ends.',
    action: openRequest(props, 'View key', context),
    facts: [
      ['Claimed', context.instant(props.at)],
      ['Expires', context.instant(props.expiresAt)],
      ['Key ID', props.prefixStart],
      ...factsOf(props),
    ],
  }),
  example: {
    ...exampleAbout,
    prefixStart: 'l4Kx9Qa2',
    at: '2026-11-20T15:04:00.000Z',
    by: 'Robin Testwell',
    expiresAt: '2027-02-18T15:04:00.000Z',
  },
})

export const productionWithdrawn = defineMail({
  props: z.object({ ...about, reason }),
  links: [],
  subject: ({ keyName }) => `Withdrawn: ${keyName}`,
  letter: (props, context) => ({
    preview: 'This request won’t result in a key.',
    heading: 'A request was withdrawn',
    happened: `Hello ${props.name}. ${props.organizationName}'s request for the production key ${props.keyName} at ${props.practiceName} was withdrawn.`,
    means: 'No key is created. Agreements that both sides signed stay in force.',
    todo: bySide(props.side, 'Submit a new request when you are ready.', 'Nothing.'),
    byWhen: null,
    otherwise: 'Nothing else happens.',
    action: openRequest(props, 'View request', context),
    facts: [['Reason', flat(props.reason)], ...factsOf(props)],
  }),
  example: { ...exampleAbout, reason: 'Withdrawn by Robin Testwell.' },
})
