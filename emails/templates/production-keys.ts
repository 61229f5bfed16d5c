/** Emails about the request for a production key, from the sponsor's invitation until the key is active. */
import { z } from 'zod'
import { emailsAbout } from '../emails-about.ts'
import {
  count,
  describeLevel,
  exampleId,
  instant,
  keyIdPart,
  keyLevel,
  line,
  listItems,
  reviewItems,
  typedText,
} from '../letter.ts'

const side = z.enum(['developer', 'practice'])

export const { email, emailWithLink } = emailsAbout(
  {
    name: [line, 'Robin Testwell'],
    /** Whom the mail is written to. */
    side: [side, 'developer'],
    keyName: [line, 'Nightly import'],
    organizationName: [line, 'Samplewood Health Apps'],
    organizationSlug: [z.string().regex(/^[a-z0-9-]{1,120}$/), 'samplewood-health-apps'],
    practiceName: [line, 'Fennmoor Family Practice'],
    level: [keyLevel, 'read_only'],
    requestId: [line, exampleId],
  },
  {
    page: (props) =>
      props.side === 'practice'
        ? `/practice/sponsorships/${props.requestId}`
        : `/organizations/${props.organizationSlug}/production-keys/${props.requestId}`,
    facts: ({ keyName, organizationName, practiceName, level, requestId }) => [
      ['Key', keyName],
      ['Developer', organizationName],
      ['Practice', practiceName],
      ['Level', describeLevel(level)],
      ['Request ID', requestId],
    ],
  },
)
const { email: staffEmail } = emailsAbout({ name: [line, 'Odell Placeholder'] })

export const toPractice = { name: [line, 'Theo Placeholder'], side: [side, 'practice'] } as const
/** One sentence for each side. */
export const bySide = (props: { side: z.output<typeof side> }, developer: string, practice: string) =>
  props.side === 'developer' ? developer : practice

export const at = [instant, '2026-11-20T15:04:00.000Z'] as const
const invitationLapsesAt = [instant, '2026-12-04T17:00:00.000Z'] as const
const answerLapsesAt = [instant, '2026-12-20T17:00:00.000Z'] as const
export const keyExpiresAt = [instant, '2027-02-18T15:04:00.000Z'] as const
const renewal = [z.boolean(), false] as const
export const requestedBy = [line, 'Robin Testwell'] as const

export const productionKeyEmails = {
  'production-received': email({ lapsesAt: invitationLapsesAt }, (props) => ({
    subject: `Sent to the practice: ${props.keyName}`,
    heading: 'Your request was sent to the practice',
    happened: `We asked ${props.practiceName} to sponsor the production key ${props.keyName}.`,
    means: 'We emailed the practice admins we have on file. The next step is theirs.',
    todo: 'Nothing for now. It helps to tell your contacts at the practice to look for our email.',
    byWhen: props.lapsesAt,
    otherwise: 'The invitation expires. You can send it again up to two times.',
    button: 'View request',
  })),
  /** To the admins of the practice that are on file; never to an address that a developer gave. */
  'sponsor-invited': email(
    { ...toPractice, requestedBy, lapsesAt: invitationLapsesAt, again: [z.boolean(), false] },
    (props) => ({
      subject: `Sponsorship request from ${props.organizationName}`,
      heading: `${props.again ? 'Reminder: a' : 'A'} company requests access to your records`,
      happened: `${props.requestedBy} of ${props.organizationName} requests access to the records of ${props.practiceName}, with an API key for its software.`,
      means:
        'The company has no access yet. It gets a key only after you agree to sponsor it, both sides sign and we review the request. The key can then reach only the data classes in the request, for all your patients.',
      todo: 'Sign in and read what the company requests and why. Then confirm, decline, or report that you don’t recognize the request.',
      byWhen: props.lapsesAt,
      otherwise: 'The request expires, and no key is created.',
      button: 'Read request',
    }),
  ),
  'sponsor-reminder': email({ ...toPractice, lapsesAt: invitationLapsesAt, renewal }, (props) => ({
    subject: `Your answer is needed: ${props.organizationName}`,
    heading: 'A request still needs your answer',
    means: 'Only an admin of your practice can answer.',
    todo: 'Sign in, then confirm or decline. One admin’s answer is enough.',
    byWhen: props.lapsesAt,
    button: 'Answer request',
    ...(props.renewal
      ? {
          happened: `${props.organizationName} is waiting for your answer: it asked you to renew its key ${props.keyName}.`,
          otherwise: 'The key expires, and anything that uses it stops working.',
        }
      : {
          happened: `${props.organizationName} is waiting for your answer: it asked for access to the records of ${props.practiceName} with the key ${props.keyName}.`,
          otherwise: 'The request expires, and no key is created.',
        }),
  })),
  'sponsor-confirmed': email(
    { sponsorName: [line, 'Theo Placeholder'], signatoryName: [line, 'Ines Placeholder'] },
    (props) => ({
      subject: `${props.practiceName} sponsors ${props.keyName}`,
      heading: 'The practice sponsors the key',
      happened: `${props.sponsorName} confirmed that ${props.practiceName} sponsors the key ${props.keyName} of ${props.organizationName}.`,
      means: `Two agreements come next: the usage agreement, then the business associate agreement (BAA). ${props.signatoryName} signs the BAA for the practice.`,
      todo: bySide(
        props,
        'Sign the usage agreement, unless one is already in force.',
        'Nothing for now. The signatory gets the BAA by email.',
      ),
      otherwise: bySide(
        props,
        'You get no key until every agreement is signed.',
        'The company gets no access until every agreement is signed.',
      ),
      button: 'View steps',
    }),
  ),
  'sponsor-declined': email(
    { reason: [typedText, 'We have used another product for this since spring.'] },
    (props) => ({
      subject: `${props.practiceName} declined to sponsor ${props.keyName}`,
      heading: 'The practice declined your request',
      happened: `${props.practiceName} declined to sponsor the key ${props.keyName}.`,
      means: 'This request is closed. No key is created.',
      todo: 'If you didn’t expect this, talk to the practice. You can submit a new request at any time.',
      otherwise: 'Nothing else happens.',
      button: 'View request',
      facts: [['Reason', props.reason]],
    }),
  ),
  'sponsor-expired': email({ reinvitesLeft: [count, 2], renewal }, (props) => ({
    subject: `No answer from ${props.practiceName}`,
    heading: 'The practice did not answer',
    happened: `${props.practiceName} did not answer the request for ${props.keyName} within 14 days.`,
    means: 'No one at the practice confirmed or declined.',
    todo: props.renewal
      ? 'Request renewal again while the key works, or within 30 days after it expires.'
      : props.reinvitesLeft > 0
        ? 'Talk to the practice, then resend the invitation from the request’s page.'
        : 'The invitation was sent three times. Submit a new request when the practice is ready.',
    otherwise: 'The request stays open, and no key is created.',
    button: 'Open request',
  })),
  'production-security-hold': staffEmail(
    {
      keyName: [line, 'Nightly import'],
      organizationName: [line, 'Samplewood Health Apps'],
      practiceName: [line, 'Fennmoor Family Practice'],
      reportedBy: [line, 'Theo Placeholder'],
      reason: [typedText, 'No one here has heard of this company.'],
      requestId: [line, exampleId],
    },
    (props) => ({
      subject: `Security hold: ${props.organizationName}`,
      heading: 'A practice doesn’t recognize a request',
      happened: `${props.reportedBy} of ${props.practiceName} doesn’t recognize the request ${props.keyName} by ${props.organizationName}.`,
      means: 'The request is on hold until you decide.',
      todo: 'Call the practice on a number you know, check the organization, then release or close the request.',
      byWhen: 'Today',
      otherwise: 'It stays on hold.',
      button: 'Investigate',
      page: `/staff/production-keys/${props.requestId}`,
      facts: [
        ['Practice’s statement', props.reason],
        ['Request ID', props.requestId],
      ],
    }),
  ),
  'production-hold-ended': email(
    {
      released: [z.boolean(), true],
      reason: [typedText, 'The practice confirmed that it knows about the request.'],
    },
    (props) => ({
      subject: `${props.released ? 'Released' : 'Closed'}: ${props.keyName}`,
      heading: props.released ? 'The hold on a request has ended' : 'A held request was closed',
      happened: `We investigated the request ${props.keyName} of ${props.organizationName} at ${props.practiceName}.`,
      means: props.released
        ? 'It is a draft again. It can be corrected and resubmitted.'
        : 'It is closed. No key is created.',
      todo: bySide(
        props,
        props.released
          ? 'Review it, talk to the practice, and submit it again.'
          : 'Write to us if you think this is wrong.',
        'Nothing. If you receive it again, treat it like any other request.',
      ),
      otherwise: 'Nothing else happens.',
      button: 'View request',
      facts: [['Reason', props.reason]],
    }),
  ),
  'production-needs-info': email(
    {
      items: [
        reviewItems,
        [
          {
            sentence: 'An answer in the security profile is unclear.',
            text: 'Tell us more about: backups.',
          },
        ],
      ],
      lapsesAt: answerLapsesAt,
    },
    (props) => ({
      subject: `More information needed: ${props.keyName}`,
      heading: 'We need more information',
      happened: `A reviewer looked at the production key ${props.keyName} and needs the answers listed below.`,
      means: 'The review clock is paused until you answer.',
      todo: 'Answer every item on the request’s page.',
      byWhen: props.lapsesAt,
      otherwise: 'After 30 days without activity the request is withdrawn. Signed agreements stay in force.',
      button: 'Answer',
      facts: listItems(props.items),
    }),
  ),
  'production-info-reminder': email({ lapsesAt: answerLapsesAt }, ({ keyName, lapsesAt }) => ({
    subject: `Answers still needed: ${keyName}`,
    heading: 'The review needs your answers',
    happened: `A reviewer has questions about the production key ${keyName}.`,
    means: 'The review clock is paused until you answer.',
    todo: 'Answer every item on the request’s page.',
    byWhen: lapsesAt,
    otherwise: 'The request is withdrawn. Signed agreements stay in force.',
    button: 'Answer',
  })),
  'production-approved': email({ renewal }, (props) => ({
    subject: `Approved: ${props.keyName}`,
    heading: props.renewal ? 'The key’s renewal is approved' : 'The production key is approved',
    happened: `The production key ${props.keyName} of ${props.organizationName} at ${props.practiceName} is approved.`,
    means: 'The usage agreement, the usage policy, the BAA and the sponsorship are in force.',
    todo: bySide(
      props,
      'Look for the email with the claim link. It goes to the person who requested the key.',
      'Nothing. We email you when the key is active, and you can stop it at any time.',
    ),
    otherwise: 'The key is created only when it is claimed.',
    button: 'View request',
  })),
  'production-rejected': email(
    {
      items: [
        reviewItems,
        [
          {
            sentence: 'The request asks for more access than its purpose needs.',
            text: 'Request a lower access level.',
          },
        ],
      ],
      text: [typedText, 'Read access is enough for what you describe.'],
      appealUntil: [instant, '2026-12-20T17:00:00.000Z'],
    },
    (props) => ({
      subject: `Rejected: ${props.keyName}`,
      heading: 'The production key request was rejected',
      happened: `Two reviewers rejected the production key ${props.keyName}. ${props.text}`,
      means: 'No key is created. What needs to change is listed below.',
      todo: 'If you think the decision is wrong, appeal. Different reviewers handle the appeal.',
      byWhen: props.appealUntil,
      otherwise: 'The request stays rejected. You can submit a new one at any time.',
      button: 'View request',
      facts: listItems(props.items),
    }),
  ),
  'production-claim': emailWithLink(
    'claimUrl',
    { expiresAt: [instant, '2026-11-23T15:04:00.000Z'], again: [z.boolean(), false] },
    ({ keyName, practiceName, expiresAt, again }) => ({
      subject: `Claim your production key: ${keyName}`,
      heading: 'Your production key is ready to claim',
      happened: again
        ? `Here is a new link for ${keyName}. Earlier links no longer work.`
        : `The production key ${keyName} at ${practiceName} was approved.`,
      means: 'The key is created when you claim it and shown once, only to you. We keep no copy.',
      todo: 'Open the link, sign in, and store the key on your server. Never put it in a browser or an app.',
      byWhen: expiresAt,
      otherwise: 'The link expires and no key is created. You can request a new link up to three times.',
      button: 'Claim key',
    }),
  ),
  'production-claim-expired': email({ reissuesLeft: [count, 3] }, ({ keyName, reissuesLeft }) => ({
    subject: `Claim link expired: ${keyName}`,
    heading: 'The claim link has expired',
    happened: `The production key ${keyName} was not claimed within 72 hours.`,
    means: 'No key was created.',
    todo:
      reissuesLeft > 0
        ? 'When you are ready, request a new link on the request’s page.'
        : 'No links are left. Submit a new request.',
    otherwise: 'The request stays unclaimed.',
    button: 'Open request',
  })),
  'production-revealed': email(
    {
      prefixStart: [keyIdPart, 'l4Kx9Qa2'],
      at,
      by: [line, 'Robin Testwell'],
      expiresAt: keyExpiresAt,
    },
    (props) => ({
      subject: `Production key active: ${props.keyName}`,
      heading: 'A production key is active',
      happened: `${props.by} of ${props.organizationName} claimed the key ${props.keyName}. It gives access to the records of ${props.practiceName}.`,
      means: 'The key works from now on, and every request with it is logged.',
      todo: bySide(
        props,
        'If this wasn’t your colleague, revoke the key at once.',
        'Nothing. Your console shows its activity. You can stop or revoke it at any time.',
      ),
      otherwise: 'It works until it expires, or until an agreement or the sponsorship ends.',
      button: 'View key',
      facts: [
        ['Claimed', props.at],
        ['Expires', props.expiresAt],
        ['Key ID', props.prefixStart],
      ],
    }),
  ),
  'production-withdrawn': email({ reason: [typedText, 'Withdrawn by Robin Testwell.'] }, (props) => ({
    subject: `Withdrawn: ${props.keyName}`,
    heading: 'A request was withdrawn',
    happened: `${props.organizationName}'s request for the production key ${props.keyName} at ${props.practiceName} was withdrawn.`,
    means: 'No key is created. Agreements that both sides signed stay in force.',
    todo: bySide(props, 'Submit a new request when you are ready.', 'Nothing.'),
    otherwise: 'Nothing else happens.',
    button: 'View request',
    facts: [['Reason', props.reason]],
  })),
}
