/** Between developers and the practice that is asked to vouch for them: P1 to P6. */
import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'
import { about, bySide, exampleAbout, factsOf, flat, openRequest, reason } from './production-fields.ts'

const lapsesAt = '2026-12-04T17:00:00.000Z'
const toPractice = { ...exampleAbout, name: 'Theo Placeholder', side: 'practice' } as const

/** P1 */
export const productionReceived = defineMail({
  props: z.object({ ...about, lapsesAt: instant }),
  links: [],
  subject: ({ keyName }) => `Sent to the practice: ${keyName}`,
  letter: (props, context) => ({
    preview: 'The practice was asked to vouch for you.',
    heading: 'The practice was asked',
    happened: `Hello ${props.name}. ${props.practiceName} was asked to sponsor the production key ${props.keyName}.`,
    means: 'The mail went to the admins of the practice that are on file with us. They hold the ball now.',
    todo: 'Nothing for now. It helps to tell the people you know there that the mail has come.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'The invitation ends. You can send it again, twice at most.',
    action: openRequest(props, 'See the request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, lapsesAt },
})

/** P2, to the admins of the practice that are on file; never to an address that a developer gave. */
export const sponsorInvited = defineMail({
  props: z.object({ ...about, requestedBy: line, lapsesAt: instant, again: z.boolean() }),
  links: [],
  subject: ({ organizationName }) => `Do you vouch for ${organizationName}?`,
  letter: (props, context) => ({
    preview: 'They ask for a key that reaches your practice’s records.',
    heading: props.again ? 'You are asked again to sponsor a key' : 'You are asked to sponsor a key',
    happened: `Hello ${props.name}. ${props.requestedBy} of ${props.organizationName} asks for a key that reaches the records of ${props.practiceName}.`,
    means:
      'Nothing can be reached yet. A key is made only after you confirm, both sides sign, and we review it. It can then reach every record that the REST API serves: the classes of data and purposes in the request are recorded, not enforced.',
    todo: 'Sign in and read what they ask for and why. Then confirm, decline, or tell us that you do not know of it.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'The request ends, and nobody gets a key.',
    action: openRequest(props, 'Read the request', context),
    facts: factsOf(props),
  }),
  example: { ...toPractice, requestedBy: 'Robin Testwell', lapsesAt, again: false },
})

export const sponsorReminder = defineMail({
  props: z.object({ ...about, lapsesAt: instant, renewal: z.boolean() }),
  links: [],
  subject: ({ organizationName }) => `Waiting for you: ${organizationName}`,
  letter: (props, context) => ({
    preview: 'A request of developers waits for your answer.',
    heading: 'A request still waits for you',
    happened: props.renewal
      ? `Hello ${props.name}. ${props.organizationName} asked you to let the key ${props.keyName} go on.`
      : `Hello ${props.name}. ${props.organizationName} asked you to sponsor the key ${props.keyName}.`,
    means: 'It waits for an admin of the practice.',
    todo: 'Sign in, and confirm or decline. One answer is enough for all admins.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: props.renewal
      ? 'The key ends on its day and what uses it stops.'
      : 'The request ends and nobody gets a key.',
    action: openRequest(props, 'Answer the request', context),
    facts: factsOf(props),
  }),
  example: { ...toPractice, lapsesAt, renewal: false },
})

/** P3, to both. */
export const sponsorConfirmed = defineMail({
  props: z.object({ ...about, sponsorName: line, signatoryName: line }),
  links: [],
  subject: ({ practiceName }) => `${practiceName} vouches`,
  letter: (props, context) => ({
    preview: 'The documents come next.',
    heading: 'The practice vouches',
    happened: `Hello ${props.name}. ${props.sponsorName} confirmed for ${props.practiceName} that ${props.organizationName} may have the key ${props.keyName}.`,
    means: `The usage agreement comes first, then the BAA. ${props.signatoryName} signs the BAA for the practice.`,
    todo: bySide(
      props.side,
      'Sign the usage agreement, unless one is in force already.',
      'Nothing for now. The BAA comes by mail to whoever signs it.',
    ),
    byWhen: null,
    otherwise: 'Nothing can be reached until every document is signed.',
    action: openRequest(props, 'See the steps', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, sponsorName: 'Theo Placeholder', signatoryName: 'Ines Placeholder' },
})

/** P4 */
export const sponsorDeclined = defineMail({
  props: z.object({ ...about, reason }),
  links: [],
  subject: ({ practiceName }) => `${practiceName} does not vouch`,
  letter: (props, context) => ({
    preview: 'The practice gave its reason.',
    heading: 'The practice does not vouch',
    happened: `Hello ${props.name}. ${props.practiceName} does not sponsor the key ${props.keyName}.`,
    means: 'This request is over. No key is made of it.',
    todo: 'Talk to the practice if this surprises you. A new request can be made at any time.',
    byWhen: null,
    otherwise: 'Nothing further happens.',
    action: openRequest(props, 'See the request', context),
    facts: [['Reason', flat(props.reason)], ...factsOf(props)],
  }),
  example: { ...exampleAbout, reason: 'We use another product for this since spring.' },
})

/** P5, to developers. */
export const sponsorExpired = defineMail({
  props: z.object({ ...about, reinvitesLeft: z.number().int().min(0), renewal: z.boolean() }),
  links: [],
  subject: ({ practiceName }) => `No answer from ${practiceName}`,
  letter: (props, context) => ({
    preview: 'The invitation has ended.',
    heading: 'The practice did not answer',
    happened: `Hello ${props.name}. The 14 days in which ${props.practiceName} could answer about ${props.keyName} are over.`,
    means: 'Nobody at the practice confirmed or declined.',
    todo: props.renewal
      ? 'Ask for the renewal again while the key works, or within 30 days after.'
      : props.reinvitesLeft > 0
        ? 'Talk to the practice, then send the invitation again from the page of the request.'
        : 'The invitation was sent three times. Make a new request when the practice is ready.',
    byWhen: null,
    otherwise: 'The request stays where it is.',
    action: openRequest(props, 'Open the request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, reinvitesLeft: 2, renewal: false },
})

/** P6, to operations. */
export const productionSecurityHold = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    organizationName: line,
    practiceName: line,
    reportedBy: line,
    reason,
    requestId: line,
  }),
  links: [],
  subject: ({ organizationName }) => `Security hold: ${organizationName}`,
  letter: (props, { page }) => ({
    preview: 'A practice does not know of a request in its name.',
    heading: 'A practice says: this is not us',
    happened: `Hello ${props.name}. ${props.reportedBy} of ${props.practiceName} does not know of the request ${props.keyName} by ${props.organizationName}.`,
    means: 'The request is held. Nothing about it can move until you decide.',
    todo: 'Call the practice on a number you know, look at the organization, then release or close the request.',
    byWhen: 'Today',
    otherwise: 'It stays held.',
    action: { label: 'Look into it', url: page(`/staff/production-keys/${props.requestId}`) },
    facts: [
      ['What they said', flat(props.reason)],
      ['Request id', props.requestId],
    ],
  }),
  example: {
    name: 'Odell Placeholder',
    keyName: 'Nightly import',
    organizationName: 'Samplewood Health Apps',
    practiceName: 'Fennmoor Family Practice',
    reportedBy: 'Theo Placeholder',
    reason: 'Nobody here has heard of this company.',
    requestId: exampleAbout.requestId,
  },
})

export const productionHoldEnded = defineMail({
  props: z.object({ ...about, released: z.boolean(), reason }),
  links: [],
  subject: ({ keyName, released }) => `${released ? 'Released' : 'Closed'}: ${keyName}`,
  letter: (props, context) => ({
    preview: 'We looked into what the practice told us.',
    heading: props.released ? 'The hold on a request ended' : 'A held request was closed',
    happened: `Hello ${props.name}. We looked into the request ${props.keyName} of ${props.organizationName} at ${props.practiceName}.`,
    means: props.released
      ? 'It is a draft again. It can be put right and sent anew.'
      : 'It is closed. No key is made of it.',
    todo: bySide(
      props.side,
      props.released
        ? 'Look it over, talk to the practice, and send it again.'
        : 'Write to us if you think that this is wrong.',
      'Nothing. If it is sent to you again, read it as any other request.',
    ),
    byWhen: null,
    otherwise: 'Nothing further happens.',
    action: openRequest(props, 'See the request', context),
    facts: [['Reason', flat(props.reason)], ...factsOf(props)],
  }),
  example: { ...exampleAbout, released: true, reason: 'The practice knows of it after all.' },
})
