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
    todo: 'Nothing for now. It helps to let your contacts there know that the email has arrived.',
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
    preview: 'They request a key that can reach your practice’s records.',
    heading: props.again ? 'Reminder: you are asked to sponsor a key' : 'You are asked to sponsor a key',
    happened: `Hello ${props.name}. ${props.requestedBy} of ${props.organizationName} requests a key that can reach the records of ${props.practiceName}.`,
    means:
      'They have no access yet. A key is created only after you confirm, both sides sign and we review it. It can then reach every record the REST API serves: the data classes and purposes in the request are recorded, not enforced.',
    todo: 'Sign in and read what they request and why. Then confirm, decline, or report that you don’t recognize the request.',
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
      ? `Hello ${props.name}. ${props.organizationName} asked you to renew the key ${props.keyName}.`
      : `Hello ${props.name}. ${props.organizationName} asked you to sponsor the key ${props.keyName}.`,
    means: 'An admin of the practice must answer.',
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
  subject: ({ practiceName }) => `${practiceName} confirmed sponsorship`,
  letter: (props, context) => ({
    preview: 'The agreements come next.',
    heading: 'The practice confirmed sponsorship',
    happened: `Hello ${props.name}. ${props.sponsorName} confirmed for ${props.practiceName} that ${props.organizationName} may have the key ${props.keyName}.`,
    means: `Next come the usage agreement and then the BAA. ${props.signatoryName} signs the BAA for the practice.`,
    todo: bySide(
      props.side,
      'Sign the usage agreement, unless one is already in force.',
      'Nothing for now. The signatory gets the BAA by email.',
    ),
    byWhen: null,
    otherwise: 'They have no access until every agreement is signed.',
    action: openRequest(props, 'View steps', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, sponsorName: 'Theo Placeholder', signatoryName: 'Ines Placeholder' },
})

/** P4 */
export const sponsorDeclined = defineMail({
  props: z.object({ ...about, reason }),
  links: [],
  subject: ({ practiceName }) => `${practiceName} declined sponsorship`,
  letter: (props, context) => ({
    preview: 'The practice gave its reason.',
    heading: 'The practice declined sponsorship',
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
    otherwise: 'The request stays as it is.',
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
