/** Emails about an agreement: on its way to the last signature, at its end, and of what is owed after a BAA. */
import { z } from 'zod'
import { emailsAbout } from '../emails-about.ts'
import { exampleId, instant, instantOrNull, line, typedText } from '../letter.ts'

/** The reader's own page of the agreement. */
const ownPage = z
  .string()
  .regex(
    /^\/(staff\/agreements|practice\/agreements\/[0-9a-f-]{36}|organizations\/[a-z0-9-]{1,120}\/agreements\/[0-9a-f-]{36})$/,
  )

const { email } = emailsAbout(
  {
    name: [line, 'Robin Testwell'],
    documentName: [line, 'Business associate agreement'],
    organizationName: [line, 'Samplewood Health Apps'],
    /** Of a BAA. */
    practiceName: [line.nullable(), 'Old Quay Family Practice'],
    page: [ownPage, `/practice/agreements/${exampleId}`],
    agreementId: [line, exampleId],
  },
  {
    page: ({ page }) => page,
    facts: ({ documentName, organizationName, practiceName, agreementId }) => [
      ['Document', documentName],
      ['Developer', organizationName],
      ['Practice', practiceName],
      ['Document ID', agreementId],
    ],
  },
)

type Parties = { documentName: string; organizationName: string; practiceName: string | null }

/** The document and its parties, in one sentence's words. */
function between({ documentName, organizationName, practiceName }: Parties): string {
  const document = `the ${documentName.charAt(0).toLowerCase()}${documentName.slice(1)}`
  return practiceName === null
    ? `${document} with ${organizationName}`
    : `${document} between ${organizationName} and ${practiceName}`
}

const sha256 = [
  z.string().regex(/^[0-9a-f]{64}$/),
  '3f0a51c2d4b6e8971f0a51c2d4b6e8971f0a51c2d4b6e8971f0a51c2d4b6e897',
] as const
const withdrawnAt = [instant, '2027-01-19T17:00:00.000Z'] as const
const staysUnsigned = 'It stays unsigned. After 60 days without activity it is withdrawn.'
const keysStop = 'Production keys that depend on it stop working then.'
const outcomes = {
  returned: 'The data was returned, and no copy was kept.',
  destroyed: 'The data was destroyed.',
  infeasible: 'Some of the data could not be returned or destroyed. It stays protected.',
} as const

export const agreementEmails = {
  'agreement-offered': email({ sha256, withdrawnAt }, (props) => ({
    subject: `Please sign: ${props.documentName}`,
    heading: 'An agreement needs your signature',
    happened: `You are named as the signatory of ${between(props)}.`,
    means:
      'Your signature covers exactly the document you see. Its fingerprint (SHA-256) is below, so any later change would show.',
    preview: 'Read it, then sign it or propose a change.',
    todo: 'Read the agreement and save a copy if you like. Then sign it, or propose a change. You need your password to sign.',
    byWhen: props.withdrawnAt,
    otherwise:
      'We send reminders after 7, 14 and 21 days. After 60 days without activity the agreement is withdrawn.',
    button: 'Read and sign',
    facts: [['SHA-256', props.sha256]],
  })),
  'agreement-signed': email({ yours: [z.boolean(), false] }, (props) =>
    props.yours
      ? {
          subject: `You signed: ${props.documentName}`,
          heading: 'You signed',
          happened: `You signed ${between(props)}.`,
          means: 'It takes effect when the other side signs. You can download a copy of what you signed.',
          todo: 'Nothing. If this wasn’t you, contact us at once.',
          otherwise: 'We email you when it takes effect.',
          button: 'View agreement',
        }
      : {
          subject: `Your turn: ${props.documentName}`,
          heading: 'The other side has signed',
          happened: `The other side signed ${between(props)}.`,
          means: 'It takes effect when you sign the same document.',
          todo: 'Read it, then sign it or propose a change.',
          otherwise: staysUnsigned,
          button: 'Read and sign',
        },
  ),
  'agreement-executed': email(
    {
      sha256,
      effectiveAt: [instant, '2026-11-20T17:00:00.000Z'],
      expiresAt: [instant, '2027-11-21T05:00:00.000Z'],
    },
    (props) => ({
      subject: `Signed by everyone: ${props.documentName}`,
      heading: 'Everyone has signed',
      happened: `Everyone has signed ${between(props)}.`,
      means: `It is in force from ${props.effectiveAt} until ${props.expiresAt}. We keep it for six years after that.`,
      todo: 'Save the signed document. Anyone who has the file can check on our website that it is unchanged.',
      otherwise: 'You can download it later from the agreement’s page.',
      button: 'Download document',
      facts: [['SHA-256', props.sha256]],
    }),
  ),
  'agreement-changed': email(
    {
      comment: [typedText, 'Please give notice of a breach within 24 hours.'],
      rejected: [z.boolean(), false],
    },
    (props) => ({
      ...(props.rejected
        ? {
            subject: `Rejected: ${props.documentName}`,
            heading: 'This version was rejected',
            happened: `One side rejected the current version of ${between(props)}.`,
            todo: 'Propose a change or withdraw the agreement.',
          }
        : {
            subject: `New version: ${props.documentName}`,
            heading: 'There is a new version',
            happened: `There is a new version of ${between(props)}.`,
            todo: 'Read the new version, then sign it or propose a change.',
          }),
      means: `Signatures on the earlier version no longer count. Comment: ${props.comment}`,
      otherwise: staysUnsigned,
      button: 'Open agreement',
    }),
  ),
  'agreement-reminder': email({ stalledAt: [instant, '2026-12-20T17:00:00.000Z'], withdrawnAt }, (props) => ({
    subject: `Reminder: please sign: ${props.documentName}`,
    heading: 'An agreement still needs your signature',
    happened: `Your signature is still missing on ${between(props)}.`,
    means: `If no one acts by ${props.stalledAt}, we mark the agreement and its request as stalled.`,
    todo: 'Sign it, propose a change or reject it.',
    byWhen: props.withdrawnAt,
    otherwise: 'The agreement is withdrawn.',
    button: 'Read and sign',
  })),
  'agreement-stalled': email({ withdrawnAt }, (props) => ({
    subject: `Stalled: ${props.documentName}`,
    heading: 'An agreement has stalled',
    happened: `There has been no activity for 30 days on ${between(props)}.`,
    means: 'We marked it as stalled. Existing signatures still count.',
    todo: 'Sign it, propose a change, or withdraw it.',
    byWhen: props.withdrawnAt,
    otherwise: 'The agreement is withdrawn.',
    button: 'Open agreement',
  })),
  'agreement-closed': email({ reason: [typedText, 'There was no activity for 60 days.'] }, (props) => ({
    subject: `Withdrawn: ${props.documentName}`,
    heading: 'An agreement was withdrawn',
    happened: `It is no longer possible to sign ${between(props)}.`,
    means: `Reason: ${props.reason}`,
    todo: 'Nothing. If the developer submits a new request, you get a new agreement.',
    otherwise: 'The agreement stays withdrawn.',
    button: 'View agreement',
  })),
  'agreement-expiring': email(
    {
      endsAt: [instant, '2027-11-21T05:00:00.000Z'],
      days: [z.number().int().min(1).max(30), 14],
      renewable: [z.boolean(), true],
    },
    (props) => ({
      subject: `Expires in ${props.days === 1 ? '1 day' : `${props.days} days`}: ${props.documentName}`,
      heading: 'An agreement is about to expire',
      happened: `On ${props.endsAt}, ${between(props)} expires.`,
      means: keysStop,
      todo: props.renewable
        ? 'Renew it if you want to continue. Both sides sign again.'
        : 'Plan to stop using the keys by that date. Notice has been given.',
      byWhen: props.endsAt,
      otherwise: 'It expires, and the keys stop working.',
      button: props.renewable ? 'Renew it' : 'View agreement',
    }),
  ),
  'agreement-notice': email(
    { endsAt: [instant, '2026-12-21T05:00:00.000Z'], reason: [typedText, 'The project is over.'] },
    (props) => ({
      subject: `Notice given: ${props.documentName}`,
      heading: 'An agreement will end',
      happened: `One side gave notice to end ${between(props)}.`,
      means: `It ends on ${props.endsAt}. ${keysStop} Reason: ${props.reason}`,
      todo: 'Plan to stop using the keys by that date.',
      byWhen: props.endsAt,
      otherwise: 'It ends on that day.',
      button: 'View agreement',
    }),
  ),
  'agreement-ended': email(
    {
      page: [ownPage, `/organizations/samplewood-health-apps/agreements/${exampleId}`],
      expired: [z.boolean(), false],
      endedAt: [instant, '2026-11-20T17:00:00.000Z'],
      reason: [typedText, 'The project is over.'],
      /** When the reader owes the return or destruction of data. */
      returnBy: [instantOrNull, '2026-12-20T17:00:00.000Z'],
    },
    (props) => ({
      subject: `${props.expired ? 'Expired' : 'Terminated'}: ${props.documentName}`,
      heading: props.expired ? 'An agreement expired' : 'An agreement was terminated',
      happened: `On ${props.endedAt}, ${between(props)} ended.`,
      means: `Production keys that depend on it have stopped working. Reason: ${props.reason}`,
      byWhen: props.returnBy,
      ...(props.returnBy === null
        ? {
            todo: 'Nothing. You can download the signed document for six years.',
            otherwise: 'The agreement stays ended.',
            button: 'View agreement',
          }
        : {
            todo: 'Return or destroy the practice’s data, then state on the agreement’s page which you did.',
            otherwise: 'We send a reminder, and the practice sees that your statement is missing.',
            button: 'Attest',
          }),
    }),
  ),
  'agreement-return-due': email(
    { dueAt: [instant, '2026-12-20T17:00:00.000Z'], yours: [z.boolean(), false] },
    (props) => ({
      subject: 'Overdue: return or destruction of data',
      heading: 'The return or destruction of data is overdue',
      happened: `${props.yours ? 'You' : props.organizationName} had to return or destroy the practice’s data by ${props.dueAt}, after the end of ${between(props)}.`,
      ...(props.yours
        ? {
            means: 'You haven’t stated yet which you did.',
            todo: 'Return or destroy the data, then state on the agreement’s page which you did.',
            button: 'Attest',
          }
        : {
            means: 'The developer hasn’t stated yet which it did.',
            todo: 'Contact the developer. The agreement names the person to contact.',
            button: 'View agreement',
          }),
      otherwise: 'It stays overdue, and both sides see that.',
    }),
  ),
  'agreement-returned': email(
    {
      outcome: [z.enum(['returned', 'destroyed', 'infeasible']), 'destroyed'],
      statement: [typedText, 'All copies and backups were wiped on 1 December.'],
    },
    (props) => ({
      subject: `Data returned or destroyed: ${props.organizationName}`,
      heading: 'The developer stated what happened to your data',
      happened: `${props.organizationName} stated what happened to your practice’s data after the end of ${between(props)}.`,
      means: `${outcomes[props.outcome]} Their statement: ${props.statement}`,
      todo: 'Nothing. Keep this for your records.',
      otherwise: 'You find the statement on the agreement’s page.',
      button: 'View agreement',
    }),
  ),
}
