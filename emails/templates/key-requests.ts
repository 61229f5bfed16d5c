/** Emails about a request for a sandbox key, up to its claim. */
import { z } from 'zod'
import { emailsAbout } from '../emails-about.ts'
import { count, describeLevel, exampleId, instant, keyLevel, line, typedNote } from '../letter.ts'

export const { email, emailWithLink } = emailsAbout(
  {
    name: [line, 'Robin Testwell'],
    keyName: [line, 'Nightly import'],
    requestId: [line, exampleId],
  },
  { page: () => '/developers/keys', facts: ({ requestId }) => [['Key request', requestId]] },
)
const { emailWithLink: draftEmail } = emailsAbout({})

const level = [keyLevel, 'read_only'] as const
const expiresAt = [instant, '2026-11-23T15:04:00.000Z'] as const

const parts = {
  description: 'what you are building, in at least 50 characters',
  contact: 'a technical contact',
  terms: 'your acceptance of the sandbox terms',
} as const
const questions = {
  purpose: 'Describe what the project does with the data, and for whom.',
  real_data: 'Confirm that no real person’s data enters the sandbox.',
  contact: 'Name a technical contact who responds.',
  organization: 'Describe who is behind the organization.',
} as const
const reasons = {
  real_data: 'The sandbox is for synthetic people only.',
  no_project: 'The request doesn’t describe a project.',
  misuse: 'Earlier keys were used against the sandbox terms.',
  duplicate: 'The same project already has a key.',
} as const
const codesOf = <Code extends string>(sentences: Readonly<Record<Code, string>>) =>
  z.array(z.enum(Object.keys(sentences) as Code[]))

export const keyRequestEmails = {
  'key-request-received': email({ level }, (props) => ({
    subject: `We received your key request: ${props.keyName}`,
    heading: 'We received your key request',
    happened: `You requested the sandbox key ${props.keyName} with access level ${describeLevel(props.level)}.`,
    means:
      'An automatic check is running. A second email with a link to claim the key usually follows within a minute.',
    todo: 'Wait for the second email.',
    otherwise: 'The second email is sent anyway. If it hasn’t arrived within an hour, check the keys page.',
    button: 'View keys',
  })),
  'key-request-review': email({}, ({ keyName }) => ({
    subject: `Your key request is in review: ${keyName}`,
    heading: 'Your key request is in review',
    happened: `The automatic check passed your request for ${keyName} to a reviewer.`,
    means: 'It has not been declined. A reviewer reads it on the same business day.',
    todo: 'Nothing for now. We email you when we decide or if we need more information.',
    otherwise: 'The review continues.',
    button: 'View keys',
  })),
  'key-request-needs-info': email(
    {
      codes: [codesOf(questions).min(1), ['real_data']],
      note: [typedNote, 'You mention production data: which?'],
    },
    ({ keyName, codes, note }) => ({
      subject: `More information needed for your key request: ${keyName}`,
      heading: 'We need more information about your key request',
      happened: `A reviewer read your request for ${keyName} and needs more information.`,
      means: `The request is on hold until you answer. ${codes.map((code) => questions[code]).join(' ')}`,
      todo: 'On the keys page, add the answer to your project description.',
      otherwise: 'The request stays on hold. No key is created.',
      button: 'Answer',
      facts: [['Reviewer’s note', note]],
    }),
  ),
  'key-request-declined': email(
    { codes: [codesOf(reasons).min(1), ['no_project']], note: [typedNote, null] },
    ({ keyName, codes, note }) => ({
      subject: `Your key request was declined: ${keyName}`,
      heading: 'Your key request was declined',
      happened: `A reviewer declined your request for ${keyName}.`,
      means: `No key was created. ${codes.map((code) => reasons[code]).join(' ')}`,
      todo: 'If the reason no longer applies, submit a new request and say what has changed.',
      otherwise: 'Nothing else happens.',
      button: 'View keys',
      facts: [['Reviewer’s note', note]],
    }),
  ),
  /** Quotes nothing of the email received: its sender's address may be forged. */
  'key-draft': draftEmail(
    'confirmUrl',
    {
      missing: [codesOf(parts), ['contact', 'terms']],
      expiresAt,
      requestId: [line, exampleId],
    },
    ({ missing, expiresAt: end, requestId }) => ({
      subject: 'Confirm your sandbox key request',
      happened: 'We received an email from this address that requests a sandbox key.',
      byWhen: end,
      ...(missing.length === 0
        ? {
            means: 'Your email contains everything we need. No key has been created yet.',
            todo: 'Open the link, sign in or sign up with this address, and confirm. If you didn’t request a key, ignore this email.',
            button: 'Confirm the request',
          }
        : {
            means: `No key has been created yet. Missing: ${missing.map((part) => parts[part]).join('; ')}.`,
            todo: 'Open the link, sign in or sign up with this address, and fill in what is missing. If you didn’t request a key, ignore this email.',
            button: 'Confirm and complete',
          }),
      otherwise: 'The link expires, and we delete the content of the email.',
      facts: [['Draft', requestId]],
    }),
  ),
  'key-claim': emailWithLink(
    'claimUrl',
    {
      level,
      practiceName: [line, 'Samplewood Health Apps sandbox'],
      expiresAt,
      /** Sent in place of a link that expired. */
      again: [z.boolean(), false],
    },
    (props) => ({
      ...(props.again
        ? {
            subject: `New link to claim your key: ${props.keyName}`,
            heading: 'Here is a new link to claim your key',
            happened: `You requested a new link for the sandbox key ${props.keyName}. Earlier links no longer work.`,
          }
        : {
            subject: `Claim your key: ${props.keyName}`,
            heading: 'Your key is ready to claim',
            happened: `Your request for the sandbox key ${props.keyName} was approved.`,
          }),
      means: 'The key is created when you claim it and shown once. It is never emailed, and we keep no copy.',
      todo: 'Open the link, sign in, and store the key on your server. Never put it in a browser or an app.',
      byWhen: props.expiresAt,
      otherwise: 'The link expires and no key is created. You can request a new link up to three times.',
      button: 'Claim key',
      facts: [
        ['Level', describeLevel(props.level)],
        ['Practice', props.practiceName],
      ],
    }),
  ),
  'key-claim-expired': email({ reissuesLeft: [count, 2] }, ({ keyName, reissuesLeft }) => ({
    subject: `The link to claim your key has expired: ${keyName}`,
    heading: 'The link to claim your key has expired',
    happened: `The sandbox key ${keyName} was not claimed within 72 hours.`,
    means: 'The link no longer works. No key was created.',
    todo:
      reissuesLeft > 0
        ? `If you still want the key, request a new link on the keys page. You can do so ${times(reissuesLeft)}.`
        : 'If you still want the key, submit a new request. We can’t send another link for this one.',
    otherwise: 'The request stays unclaimed. You can return to it at any time.',
    button: 'View keys',
  })),
}

function times(left: number): string {
  return left === 1 ? 'once more' : `${left} more times`
}
