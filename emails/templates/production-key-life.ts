/** Emails about a production key that was claimed. */
import { z } from 'zod'
import { instant, instantOrNull, keyIdPart, line, typedText } from '../letter.ts'
import { at, bySide, email, keyExpiresAt, requestedBy, toPractice } from './production-keys.ts'

export const productionKeyLifeEmails = {
  /** To the practice; the developers get the email of every rotation. */
  'production-rotated': email(
    {
      ...toPractice,
      oldStart: [keyIdPart, 'l4Kx9Qa2'],
      newStart: [keyIdPart, 'l7Pz1Wc8'],
      at,
      oldEndsAt: [instant, '2026-11-21T15:04:00.000Z'],
    },
    (props) => ({
      subject: `A key was rotated: ${props.keyName}`,
      heading: 'A key was rotated',
      happened: `${props.organizationName} rotated the key ${props.keyName}.`,
      means: 'The company replaced its key. The new key has the same access and expires on the same day.',
      todo: 'Nothing. Your console shows both keys until the old one expires.',
      otherwise: 'The old key expires on its own.',
      button: 'View key',
      facts: [
        ['When', props.at],
        ['Old key ID', props.oldStart],
        ['New key ID', props.newStart],
        ['Old key expires', props.oldEndsAt],
      ],
    }),
  ),
  'production-renewal-asked': email(
    { ...toPractice, requestedBy, endsAt: keyExpiresAt, lapsesAt: [instant, '2027-02-10T15:04:00.000Z'] },
    (props) => ({
      subject: `Renew the key of ${props.organizationName}?`,
      heading: 'A key is up for renewal',
      happened: `${props.requestedBy} of ${props.organizationName} requests renewal of the key ${props.keyName}.`,
      means:
        'The access level and the agreed data and purposes stay the same. The agreements are in force and will be checked again.',
      todo: 'Confirm with one click, or decline and give a reason.',
      byWhen: props.lapsesAt,
      otherwise: 'The key expires, and anything that uses it stops working.',
      button: 'Confirm or decline',
      facts: [['Key expires', props.endsAt]],
    }),
  ),
  'production-expiring': email(
    { days: [z.number().int().min(1), 14], expiresAt: keyExpiresAt },
    ({ keyName, practiceName, days, expiresAt }) => ({
      subject: `Expires in ${days === 1 ? '1 day' : `${days} days`}: ${keyName}`,
      heading: 'A production key expires soon',
      happened: `The production key ${keyName} at ${practiceName} expires soon.`,
      means: 'The practice must confirm the renewal, so allow some time.',
      todo: 'Request renewal on the key’s page.',
      byWhen: expiresAt,
      otherwise: 'The key expires. Anything that still uses it gets a 401 response.',
      button: 'Renew key',
    }),
  ),
  'production-suspended': email(
    {
      cause: [line, 'The BAA is not in force'],
      next: [line, 'Sign a new BAA with the practice.'],
      reason: [typedText, 'Ended by the practice.'],
      at,
      revokesAt: [instantOrNull, null],
    },
    (props) => ({
      subject: `Stopped: ${props.keyName}`,
      heading: 'A production key was stopped',
      happened: `The key ${props.keyName} of ${props.organizationName} at ${props.practiceName} was stopped. ${props.cause}.`,
      means: bySide(
        props,
        'Every request with it now gets a 401 response.',
        'It can’t read your records until it is resumed.',
      ),
      todo: bySide(
        props,
        `${props.next} The page “Keys / ${props.keyName}” shows the state of the key.`,
        'If the key should work again, open it in the practice console to see what is missing.',
      ),
      byWhen: props.revokesAt,
      otherwise:
        props.revokesAt === null
          ? 'The key stays stopped.'
          : 'Without a sponsor, the key is then revoked and cannot be restored.',
      button: 'View key',
      facts: [
        ['Stopped', props.at],
        ['Reason', props.reason],
      ],
    }),
  ),
  'production-reinstated': email({ reason: [typedText, 'The BAA is in force again.'], at }, (props) => ({
    subject: `Active again: ${props.keyName}`,
    heading: 'A production key is active again',
    happened: `The key ${props.keyName} of ${props.organizationName} at ${props.practiceName} is active again.`,
    means: 'All causes are resolved, and every agreement is in force.',
    todo: bySide(props, 'Nothing. Requests work again.', 'Nothing. You can stop it again at any time.'),
    otherwise: 'It works until it expires.',
    button: 'View key',
    facts: [
      ['When', props.at],
      ['Reason', props.reason],
    ],
  })),
  'production-revoked': email(
    { by: [line, 'Theo Placeholder'], reason: [typedText, 'The project ended.'], at },
    (props) => ({
      subject: `Revoked: ${props.keyName}`,
      heading: 'A production key was revoked',
      happened: `${props.by} revoked the key ${props.keyName} of ${props.organizationName} at ${props.practiceName}.`,
      means: bySide(
        props,
        'Every request with it gets a 401 response. This cannot be undone.',
        'It can no longer read your records. This cannot be undone.',
      ),
      todo: bySide(
        props,
        'If you still need access, submit a new request. Agreements in force don’t have to be signed again.',
        'Nothing. For data that the developer still has, the business associate agreement (BAA) applies.',
      ),
      otherwise: 'Nothing else happens.',
      button: 'View request',
      facts: [
        ['When', props.at],
        ['Reason', props.reason],
      ],
    }),
  ),
  'production-expired': email(
    { expiredAt: keyExpiresAt, renewUntil: [instant, '2027-03-20T15:04:00.000Z'] },
    (props) => ({
      subject: `Expired: ${props.keyName}`,
      heading: 'A production key has expired',
      happened: `The key ${props.keyName} of ${props.organizationName} at ${props.practiceName} has expired.`,
      ...(props.side === 'developer'
        ? {
            means: 'Every request with it gets a 401 response.',
            todo: 'If you still need it, request renewal.',
            byWhen: props.renewUntil,
            otherwise: 'After that day you need a new request.',
          }
        : {
            means: 'It can no longer read your records.',
            todo: 'Nothing.',
            otherwise: 'The key stays expired unless you confirm a renewal.',
          }),
      button: 'View key',
      facts: [['Expired', props.expiredAt]],
    }),
  ),
  /** To the admins of the practice, once a year. */
  'recertification-due': email({ ...toPractice, dueAt: [instant, '2027-12-20T17:00:00.000Z'] }, (props) => ({
    subject: `Annual review: ${props.organizationName}`,
    heading: 'Annual access review',
    happened: `A year ago, your practice gave ${props.organizationName} access to the records of ${props.practiceName} with the key ${props.keyName}.`,
    means: 'Once a year, an admin of the practice checks that the company still needs this access.',
    todo: 'Open the key in the practice console. Confirm that it is still needed, or end it.',
    byWhen: props.dueAt,
    otherwise: 'The key is stopped until you confirm it.',
    button: 'Review key',
  })),
}
