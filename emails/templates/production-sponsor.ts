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
    preview: 'We asked the practice to sponsor your key.',
    heading: 'Your request was sent to the practice',
    happened: `Hello ${props.name}. We asked ${props.practiceName} to sponsor the production key ${props.keyName}.`,
    means: 'We emailed the practice admins we have on file. The next step is theirs.',
    todo: 'Nothing for now. It helps to tell your contacts at the practice to look for our email.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'The invitation expires. You can send it again up to two times.',
    action: openRequest(props, 'View request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, lapsesAt },
})

/** P2, to the admins of the practice that are on file; never to an address that a developer gave. */
export const sponsorInvited = defineMail({
  props: z.object({ ...about, requestedBy: line, lapsesAt: instant, again: z.boolean() }),
  links: [],
  subject: ({ organizationName }) => `Sponsorship request from ${organizationName}`,
  letter: (props, context) => ({
    preview: 'A company requests access to your practice’s records.',
    heading: props.again
      ? 'Reminder: a company requests access to your records'
      : 'A company requests access to your records',
    happened: `Hello ${props.name}. ${props.requestedBy} of ${props.organizationName} requests access to the records of ${props.practiceName}, with an API key for its software.`,
    means:
      'The company has no access yet. It gets a key only after you agree to sponsor it, both sides sign and we review the request. The key can then reach only the data classes in the request, for all your patients.',
    todo: 'Sign in and read what the company requests and why. Then confirm, decline, or report that you don’t recognize the request.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'The request expires, and no key is created.',
    action: openRequest(props, 'Read request', context),
    facts: factsOf(props),
  }),
  example: { ...toPractice, requestedBy: 'Robin Testwell', lapsesAt, again: false },
})

export const sponsorReminder = defineMail({
  props: z.object({ ...about, lapsesAt: instant, renewal: z.boolean() }),
  links: [],
  subject: ({ organizationName }) => `Your answer is needed: ${organizationName}`,
  letter: (props, context) => ({
    preview: 'A sponsorship request is still open.',
    heading: 'A request still needs your answer',
    happened: props.renewal
      ? `Hello ${props.name}. ${props.organizationName} is waiting for your answer: it asked you to renew its key ${props.keyName}.`
      : `Hello ${props.name}. ${props.organizationName} is waiting for your answer: it asked for access to the records of ${props.practiceName} with the key ${props.keyName}.`,
    means: 'Only an admin of your practice can answer.',
    todo: 'Sign in, then confirm or decline. One admin’s answer is enough.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: props.renewal
      ? 'The key expires, and anything that uses it stops working.'
      : 'The request expires, and no key is created.',
    action: openRequest(props, 'Answer request', context),
    facts: factsOf(props),
  }),
  example: { ...toPractice, lapsesAt, renewal: false },
})

/** P3, to both. */
export const sponsorConfirmed = defineMail({
  props: z.object({ ...about, sponsorName: line, signatoryName: line }),
  links: [],
  subject: ({ practiceName, keyName }) => `${practiceName} sponsors ${keyName}`,
  letter: (props, context) => ({
    preview: 'The agreements come next.',
    heading: 'The practice sponsors the key',
    happened: `Hello ${props.name}. ${props.sponsorName} confirmed that ${props.practiceName} sponsors the key ${props.keyName} of ${props.organizationName}.`,
    means: `Two agreements come next: the usage agreement, then the business associate agreement (BAA). ${props.signatoryName} signs the BAA for the practice.`,
    todo: bySide(
      props.side,
      'Sign the usage agreement, unless one is already in force.',
      'Nothing for now. The signatory gets the BAA by email.',
    ),
    byWhen: null,
    otherwise: bySide(
      props.side,
      'You get no key until every agreement is signed.',
      'The company gets no access until every agreement is signed.',
    ),
    action: openRequest(props, 'View steps', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, sponsorName: 'Theo Placeholder', signatoryName: 'Ines Placeholder' },
})

/** P4 */
export const sponsorDeclined = defineMail({
  props: z.object({ ...about, reason }),
  links: [],
  subject: ({ practiceName, keyName }) => `${practiceName} declined to sponsor ${keyName}`,
  letter: (props, context) => ({
    preview: 'The email has the practice’s reason.',
    heading: 'The practice declined your request',
    happened: `Hello ${props.name}. ${props.practiceName} declined to sponsor the key ${props.keyName}.`,
    means: 'This request is closed. No key is created.',
    todo: 'If you didn’t expect this, talk to the practice. You can submit a new request at any time.',
    byWhen: null,
    otherwise: 'Nothing else happens.',
    action: openRequest(props, 'View request', context),
    facts: [['Reason', flat(props.reason)], ...factsOf(props)],
  }),
  example: { ...exampleAbout, reason: 'We have used another product for this since spring.' },
})

/** P5, to developers. */
export const sponsorExpired = defineMail({
  props: z.object({ ...about, reinvitesLeft: z.number().int().min(0), renewal: z.boolean() }),
  links: [],
  subject: ({ practiceName }) => `No answer from ${practiceName}`,
  letter: (props, context) => ({
    preview: 'The invitation has expired.',
    heading: 'The practice did not answer',
    happened: `Hello ${props.name}. ${props.practiceName} did not answer the request for ${props.keyName} within 14 days.`,
    means: 'No one at the practice confirmed or declined.',
    todo: props.renewal
      ? 'Request renewal again while the key works, or within 30 days after it expires.'
      : props.reinvitesLeft > 0
        ? 'Talk to the practice, then resend the invitation from the request’s page.'
        : 'The invitation was sent three times. Submit a new request when the practice is ready.',
    byWhen: null,
    otherwise: 'The request stays open, and no key is created.',
    action: openRequest(props, 'Open request', context),
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
    preview: 'A practice doesn’t recognize a request in its name.',
    heading: 'A practice doesn’t recognize a request',
    happened: `Hello ${props.name}. ${props.reportedBy} of ${props.practiceName} doesn’t recognize the request ${props.keyName} by ${props.organizationName}.`,
    means: 'The request is on hold until you decide.',
    todo: 'Call the practice on a number you know, check the organization, then release or close the request.',
    byWhen: 'Today',
    otherwise: 'It stays on hold.',
    action: { label: 'Investigate', url: page(`/staff/production-keys/${props.requestId}`) },
    facts: [
      ['Practice’s statement', flat(props.reason)],
      ['Request ID', props.requestId],
    ],
  }),
  example: {
    name: 'Odell Placeholder',
    keyName: 'Nightly import',
    organizationName: 'Samplewood Health Apps',
    practiceName: 'Fennmoor Family Practice',
    reportedBy: 'Theo Placeholder',
    reason: 'No one here has heard of this company.',
    requestId: exampleAbout.requestId,
  },
})

export const productionHoldEnded = defineMail({
  props: z.object({ ...about, released: z.boolean(), reason }),
  links: [],
  subject: ({ keyName, released }) => `${released ? 'Released' : 'Closed'}: ${keyName}`,
  letter: (props, context) => ({
    preview: 'We investigated the practice’s report.',
    heading: props.released ? 'The hold on a request has ended' : 'A held request was closed',
    happened: `Hello ${props.name}. We investigated the request ${props.keyName} of ${props.organizationName} at ${props.practiceName}.`,
    means: props.released
      ? 'It is a draft again. It can be corrected and resubmitted.'
      : 'It is closed. No key is created.',
    todo: bySide(
      props.side,
      props.released
        ? 'Review it, talk to the practice, and submit it again.'
        : 'Write to us if you think this is wrong.',
      'Nothing. If you receive it again, treat it like any other request.',
    ),
    byWhen: null,
    otherwise: 'Nothing else happens.',
    action: openRequest(props, 'View request', context),
    facts: [['Reason', flat(props.reason)], ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    released: true,
    reason: 'The practice confirmed that it knows about the request.',
  },
})
