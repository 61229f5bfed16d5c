/** Emails about a sandbox key once it is claimed. */
import { z } from 'zod'
import { instant, instantOrNull, keyIdPart, line, typedReason } from '../letter.ts'
import { email } from './key-requests.ts'

const prefixStart = [keyIdPart, 't4Kx9Qa2'] as const
const at = [instant, '2026-11-20T15:04:00.000Z'] as const
const practiceName = [line, 'Samplewood sandbox'] as const
/** A sandbox key is extended by one click, a production key is renewed. */
const sandbox = [z.boolean(), true] as const
const gets401 = 'Anything that still uses the key gets a 401 response.'

export const keyEmails = {
  'key-revealed': email(
    { prefixStart, at, ip: [line, '203.0.113.7'], expiresAt: [instant, '2027-02-18T15:04:00.000Z'] },
    (props) => ({
      subject: `Your key was claimed: ${props.keyName}`,
      heading: 'Your key was claimed',
      happened: `The sandbox key ${props.keyName} was created and shown once.`,
      means: `It works from now until ${props.expiresAt}. No one can see it again, including us.`,
      todo: 'If this wasn’t you or a colleague, revoke the key now.',
      otherwise: 'The key works until it expires.',
      button: 'View keys',
      facts: [
        ['When', props.at],
        ['From', props.ip],
        ['Key ID', props.prefixStart],
      ],
    }),
  ),
  'key-revoked': email(
    {
      prefixStart,
      at,
      by: [line, 'Kim Placeholder'],
      /** In the revoker's words. */
      reason: [typedReason.nullable(), 'No longer needed'],
    },
    (props) => ({
      subject: `A key was revoked: ${props.keyName}`,
      heading: 'A key was revoked',
      happened: `${props.by} revoked the key ${props.keyName}.`,
      means: 'Requests with it are now refused. This cannot be undone.',
      todo: 'If something still uses the key, request a new one and replace it there.',
      otherwise: gets401,
      button: 'View keys',
      facts: [
        ['When', props.at],
        ['Key ID', props.prefixStart],
        ['Reason', props.reason],
      ],
    }),
  ),
  'key-rotated': email(
    {
      oldStart: prefixStart,
      newStart: [keyIdPart, 't7Bd2Wm5'],
      at,
      /** Null: it ended with the rotation. */
      oldEndsAt: [instantOrNull, '2026-11-21T15:04:00.000Z'],
    },
    (props) => ({
      subject: `Your key was rotated: ${props.keyName}`,
      heading: 'Your key was rotated',
      happened: `A new key replaced ${props.keyName} and was shown once.`,
      means: props.oldEndsAt
        ? `The old key works until ${props.oldEndsAt}. The keys page shows whether it is still in use, and from where.`
        : 'The old key stopped working immediately.',
      todo: `Replace the old key with the new one everywhere. If no one on your team did this, revoke ${props.oldEndsAt ? 'both keys' : 'the new key'} now.`,
      byWhen: props.oldEndsAt,
      otherwise: 'Anything that still uses the old key after it expires gets a 401 response.',
      button: 'View keys',
      facts: [
        ['When', props.at],
        ['Old key ID', props.oldStart],
        ['New key ID', props.newStart],
      ],
    }),
  ),
  'key-expiring': email(
    { prefixStart, practiceName, expiresAt: [instant, '2026-12-04T15:04:00.000Z'], sandbox },
    (props) => ({
      subject: `Your key expires soon: ${props.keyName}`,
      heading: 'Your key expires soon',
      happened: `The key ${props.keyName} for ${props.practiceName} expires on ${props.expiresAt}.`,
      means: 'It works as usual until then.',
      todo: props.sandbox
        ? 'If you still use it, extend it on the keys page, or rotate it and deploy the new key.'
        : 'If you still use it, rotate it and deploy the new key.',
      byWhen: props.expiresAt,
      otherwise: 'The key expires. Anything that still uses it gets a 401 response.',
      button: 'View keys',
      facts: [['Key ID', props.prefixStart]],
    }),
  ),
  'key-expired': email({ prefixStart, practiceName, expiresAt: at, sandbox }, (props) => ({
    subject: `Your key has expired: ${props.keyName}`,
    heading: 'Your key has expired',
    happened: `The key ${props.keyName} for ${props.practiceName} expired on ${props.expiresAt}.`,
    means: 'Requests with it are refused. An expired key cannot be restored.',
    todo: 'If something still uses it, request a new key and replace it there.',
    otherwise: gets401,
    button: 'View keys',
    facts: [['Key ID', props.prefixStart]],
  })),
  'key-leaked': email(
    {
      prefixStart,
      practiceName,
      at,
      /** True in the email to the practice whose records the key could read; false in the one to its owner. */
      practiceSide: [z.boolean(), false],
    },
    (props) => ({
      subject: `A leaked key was revoked: ${props.keyName}`,
      heading: 'A leaked key was revoked',
      happened: `Someone found the key ${props.keyName} for ${props.practiceName} in public and reported it.`,
      means:
        'The person who reported it has the whole key, so others may have it too. We revoked it immediately.',
      ...(props.practiceSide
        ? {
            todo: 'The key no longer works. Check what it read recently, and talk to the developer.',
            button: 'Open the practice console',
            page: '/practice/sign-in',
          }
        : {
            todo: 'Find out where the key was exposed and remove it there. Check its activity for calls that weren’t yours, then request a new key.',
            button: 'View keys',
          }),
      otherwise: 'The key stays revoked. Anything that still uses it gets a 401 response.',
      facts: [
        ['When', props.at],
        ['Key ID', props.prefixStart],
      ],
    }),
  ),
}
