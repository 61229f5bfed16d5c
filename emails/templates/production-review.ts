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
  { sentence: 'An answer of the security profile is not clear.', text: 'Tell us more about: backups.' },
]
const listItems = (given: z.output<typeof items>): [string, string][] =>
  given.map(({ sentence, text }, place) => [`${place + 1}. ${sentence}`, flat(text)])

/** P14 */
export const productionNeedsInfo = defineMail({
  props: z.object({ ...about, items, lapsesAt: instant }),
  links: [],
  subject: ({ keyName }) => `We need something from you: ${keyName}`,
  letter: (props, context) => ({
    preview: 'The review waits for your answer.',
    heading: 'We need something from you',
    happened: `Hello ${props.name}. A reviewer looked at the production key ${props.keyName} and asks for what is listed below.`,
    means: 'The clock of the review stands still until you answer.',
    todo: 'Answer every item on the page of the request.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'After 30 silent days the request is withdrawn. Signed documents stay signed.',
    action: openRequest(props, 'Answer', context),
    facts: [...listItems(props.items), ...factsOf(props)],
  }),
  example: { ...exampleAbout, items: exampleItems, lapsesAt: '2026-12-20T17:00:00.000Z' },
})

export const productionInfoReminder = defineMail({
  props: z.object({ ...about, lapsesAt: instant }),
  links: [],
  subject: ({ keyName }) => `Still waiting for you: ${keyName}`,
  letter: (props, context) => ({
    preview: 'The review waits for your answer.',
    heading: 'The review waits for you',
    happened: `Hello ${props.name}. A reviewer asked you something about the production key ${props.keyName}.`,
    means: 'The clock of the review stands still until you answer.',
    todo: 'Answer every item on the page of the request.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'The request is withdrawn. Signed documents stay signed.',
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
    preview: 'Every document is in force.',
    heading: props.renewal ? 'The key may go on' : 'The production key is approved',
    happened: `Hello ${props.name}. The production key ${props.keyName} of ${props.organizationName} at ${props.practiceName} is approved.`,
    means: 'The usage agreement, the usage policy, the BAA and the sponsorship are in force.',
    todo: bySide(
      props.side,
      'Look for the mail with the claim link. It goes to whoever asked for the key.',
      'Nothing. You are told when the key works, and you can suspend it at any time.',
    ),
    byWhen: null,
    otherwise: 'The key is made only when it is claimed.',
    action: openRequest(props, 'See the request', context),
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
    preview: 'Two reviewers decided, and said why.',
    heading: 'The production key was rejected',
    happened: `Hello ${props.name}. Two reviewers rejected the production key ${props.keyName}. ${flat(props.text)}`,
    means: 'No key is made. What would change it stands below.',
    todo: 'Appeal if you think that we are wrong: other reviewers look at it then.',
    byWhen: context.instant(props.appealUntil),
    otherwise: 'The request stays rejected. A new one can be made at any time.',
    action: openRequest(props, 'See the request', context),
    facts: [...listItems(props.items), ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    items: [
      { sentence: 'What is asked for goes beyond what it is for.', text: 'A lower level would change this.' },
    ],
    text: 'Reading is enough for what you describe.',
    appealUntil: '2026-12-20T17:00:00.000Z',
  },
})

/** P17 */
export const productionClaim = defineMail({
  props: z.object({ ...about, expiresAt: instant, again: z.boolean() }),
  links: ['claimUrl'],
  subject: ({ keyName }) => `Claim your production key: ${keyName}`,
  letter: (props, { links, instant: at }) => ({
    preview: 'The link works once. The key itself is never mailed.',
    heading: 'Your production key is ready to claim',
    happened: props.again
      ? `Hello ${props.name}. Here is a new link for ${props.keyName}; links sent earlier no longer work.`
      : `Hello ${props.name}. The production key ${props.keyName} at ${props.practiceName} was approved.`,
    means: 'The key is made at the moment you claim it and shown once, to you alone. We keep no copy of it.',
    todo: 'Open the link, sign in, and store the key on your server. It does not belong in a browser or an app.',
    byWhen: at(props.expiresAt),
    otherwise: 'The link stops working and no key is made. You can ask for a new one, three times at most.',
    action: { label: 'Claim the key', url: links.claimUrl },
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, expiresAt: '2026-11-23T15:04:00.000Z', again: false },
})

export const productionClaimExpired = defineMail({
  props: z.object({ ...about, reissuesLeft: z.number().int().min(0) }),
  links: [],
  subject: ({ keyName }) => `Claim link ended: ${keyName}`,
  letter: (props, context) => ({
    preview: 'Nobody claimed the key.',
    heading: 'The claim link ended',
    happened: `Hello ${props.name}. The 72 hours to claim the production key ${props.keyName} are over.`,
    means: 'No key was made.',
    todo:
      props.reissuesLeft > 0
        ? 'Ask for a new link on the page of the request when you are ready.'
        : 'No links are left. Make a new request.',
    byWhen: null,
    otherwise: 'The request stays where it is.',
    action: openRequest(props, 'Open the request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, reissuesLeft: 3 },
})

/** P18, to both. */
export const productionRevealed = defineMail({
  props: z.object({ ...about, prefixStart: keyIdPart, at: instant, by: line, expiresAt: instant }),
  links: [],
  subject: ({ keyName }) => `A production key works now: ${keyName}`,
  letter: (props, context) => ({
    preview: 'It was shown once, to whoever asked for it.',
    heading: 'A production key works now',
    happened: `Hello ${props.name}. ${props.by} of ${props.organizationName} revealed the key ${props.keyName}. It reaches ${props.practiceName}.`,
    means: 'Requests with it are served from now on, and every one is logged.',
    todo: bySide(
      props.side,
      'If it was not your colleague, revoke the key at once.',
      'Nothing. Your console shows what it does; suspend or revoke it there at any time.',
    ),
    byWhen: null,
    otherwise: 'It works until it ends, or a document or the sponsorship does.',
    action: openRequest(props, 'See the key', context),
    facts: [
      ['Revealed', context.instant(props.at)],
      ['Ends', context.instant(props.expiresAt)],
      ['Key id', props.prefixStart],
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
    preview: 'No key is made of this request.',
    heading: 'A request was withdrawn',
    happened: `Hello ${props.name}. The request of ${props.organizationName} for the production key ${props.keyName} at ${props.practiceName} is withdrawn.`,
    means: 'No key is made of it. Documents that both sides signed stay in force.',
    todo: bySide(props.side, 'Make a new request when you are ready.', 'Nothing.'),
    byWhen: null,
    otherwise: 'Nothing further happens.',
    action: openRequest(props, 'See the request', context),
    facts: [['Why', flat(props.reason)], ...factsOf(props)],
  }),
  example: { ...exampleAbout, reason: 'Withdrawn by Robin Testwell.' },
})
