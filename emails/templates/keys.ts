/** Emails about a sandbox key once it is claimed. */

import { z } from 'zod'
import { instant, keyIdPart, line, typedReason } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const keyRevealed = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    prefixStart: keyIdPart,
    at: instant,
    ip: line,
    expiresAt: instant,
    requestId: line,
  }),
  links: [],
  subject: ({ keyName }) => `Your key was claimed: ${keyName}`,
  letter: ({ name, keyName, prefixStart, at, ip, expiresAt, requestId }, { page, instant }) => ({
    preview: 'If this was you, no action is needed.',
    heading: 'Your key was claimed',
    happened: `Hello ${name}. The sandbox key ${keyName} was created and shown once.`,
    means: `It works from now until ${instant(expiresAt)}. No one can see it again, including us.`,
    todo: 'If this wasn’t you or a colleague, revoke the key now.',
    byWhen: null,
    otherwise: 'The key works until it expires.',
    action: { label: 'View keys', url: page('/developers/keys') },
    facts: [
      ['When', instant(at)],
      ['From', ip],
      ['Key ID', prefixStart],
      ['Key request', requestId],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    prefixStart: 't4Kx9Qa2',
    at: '2026-11-20T15:04:00.000Z',
    ip: '203.0.113.7',
    expiresAt: '2027-02-18T15:04:00.000Z',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

export const keyRevoked = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    prefixStart: keyIdPart,
    at: instant,
    by: line,
    /** In the revoker's words. */
    reason: typedReason.nullable(),
    requestId: line,
  }),
  links: [],
  subject: ({ keyName }) => `A key was revoked: ${keyName}`,
  letter: ({ name, keyName, prefixStart, at, by, reason, requestId }, { page, instant }) => ({
    preview: 'It no longer works, and this cannot be undone.',
    heading: 'A key was revoked',
    happened: `Hello ${name}. ${by} revoked the key ${keyName}.`,
    means: 'Requests with it are now refused. This cannot be undone.',
    todo: 'If something still uses the key, request a new one and replace it there.',
    byWhen: null,
    otherwise: 'Anything that still uses the key gets a 401 response.',
    action: { label: 'View keys', url: page('/developers/keys') },
    facts: [
      ['When', instant(at)],
      ['Key ID', prefixStart],
      ...(reason ? [['Reason', reason] as const] : []),
      ['Key request', requestId],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    prefixStart: 't4Kx9Qa2',
    at: '2026-11-20T15:04:00.000Z',
    by: 'Kim Placeholder',
    reason: 'No longer needed',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

export const keyRotated = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    oldStart: keyIdPart,
    newStart: keyIdPart,
    at: instant,
    /** Null: it ended with the rotation. */
    oldEndsAt: instant.nullable(),
    requestId: line,
  }),
  links: [],
  subject: ({ keyName }) => `Your key was rotated: ${keyName}`,
  letter: ({ name, keyName, oldStart, newStart, at, oldEndsAt, requestId }, { page, instant }) => ({
    preview: oldEndsAt ? 'The old key keeps working for a limited time.' : 'The old key no longer works.',
    heading: 'Your key was rotated',
    happened: `Hello ${name}. A new key replaced ${keyName} and was shown once.`,
    means: oldEndsAt
      ? `The old key works until ${instant(oldEndsAt)}. The keys page shows whether it is still in use, and from where.`
      : 'The old key stopped working immediately.',
    todo: oldEndsAt
      ? 'Replace the old key with the new one everywhere. If no one on your team did this, revoke both keys now.'
      : 'Replace the old key with the new one everywhere. If no one on your team did this, revoke the new key now.',
    byWhen: oldEndsAt ? instant(oldEndsAt) : null,
    otherwise: 'Anything that still uses the old key after it expires gets a 401 response.',
    action: { label: 'View keys', url: page('/developers/keys') },
    facts: [
      ['When', instant(at)],
      ['Old key ID', oldStart],
      ['New key ID', newStart],
      ['Key request', requestId],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    oldStart: 't4Kx9Qa2',
    newStart: 't7Bd2Wm5',
    at: '2026-11-20T15:04:00.000Z',
    oldEndsAt: '2026-11-21T15:04:00.000Z',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

export const keyExpiring = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    prefixStart: keyIdPart,
    practiceName: line,
    expiresAt: instant,
    /** A sandbox key is extended by one click, a production key is renewed. */
    sandbox: z.boolean(),
    requestId: line,
  }),
  links: [],
  subject: ({ keyName }) => `Your key expires soon: ${keyName}`,
  letter: (props, { page, instant }) => ({
    preview: props.sandbox ? 'Extend it with one click.' : 'Rotate it in time.',
    heading: 'Your key expires soon',
    happened: `Hello ${props.name}. The key ${props.keyName} for ${props.practiceName} expires on ${instant(props.expiresAt)}.`,
    means: 'It works as usual until then.',
    todo: props.sandbox
      ? 'If you still use it, extend it on the keys page, or rotate it and deploy the new key.'
      : 'If you still use it, rotate it and deploy the new key.',
    byWhen: instant(props.expiresAt),
    otherwise: 'The key expires. Anything that still uses it gets a 401 response.',
    action: { label: 'View keys', url: page('/developers/keys') },
    facts: [
      ['Key ID', props.prefixStart],
      ['Key request', props.requestId],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    prefixStart: 't4Kx9Qa2',
    practiceName: 'Samplewood sandbox',
    expiresAt: '2026-12-04T15:04:00.000Z',
    sandbox: true,
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

export const keyExpired = defineMail({
  props: keyExpiring.props,
  links: [],
  subject: ({ keyName }) => `Your key has expired: ${keyName}`,
  letter: (props, { page, instant }) => ({
    preview: 'It no longer works.',
    heading: 'Your key has expired',
    happened: `Hello ${props.name}. The key ${props.keyName} for ${props.practiceName} expired on ${instant(props.expiresAt)}.`,
    means: 'Requests with it are refused. An expired key cannot be restored.',
    todo: 'If something still uses it, request a new key and replace it there.',
    byWhen: null,
    otherwise: 'Anything that still uses the key gets a 401 response.',
    action: { label: 'View keys', url: page('/developers/keys') },
    facts: [
      ['Key ID', props.prefixStart],
      ['Key request', props.requestId],
    ],
  }),
  example: { ...keyExpiring.example, expiresAt: '2026-11-20T15:04:00.000Z' },
})

export const keyLeaked = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    prefixStart: keyIdPart,
    practiceName: line,
    at: instant,
    /** To the practice whose records it reached, instead of to whoever owned it. */
    practiceSide: z.boolean(),
    requestId: line,
  }),
  links: [],
  subject: ({ keyName }) => `A leaked key was revoked: ${keyName}`,
  letter: (props, { page, instant }) => ({
    preview: 'It stopped working immediately.',
    heading: 'A leaked key was revoked',
    happened: `Hello ${props.name}. Someone found the key ${props.keyName} for ${props.practiceName} in public and reported it.`,
    means:
      'The person who reported it has the whole key, so others may have it too. We revoked it immediately.',
    todo: props.practiceSide
      ? 'The key no longer works. Check what it read recently, and talk to the developer.'
      : 'Find out where the key was exposed and remove it there. Check its activity for calls that weren’t yours, then request a new key.',
    byWhen: null,
    otherwise: 'The key stays revoked. Anything that still uses it gets a 401 response.',
    action: props.practiceSide
      ? { label: 'Open the practice console', url: page('/practice/sign-in') }
      : { label: 'View keys', url: page('/developers/keys') },
    facts: [
      ['When', instant(props.at)],
      ['Key ID', props.prefixStart],
      ['Key request', props.requestId],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    prefixStart: 't4Kx9Qa2',
    practiceName: 'Samplewood sandbox',
    at: '2026-11-20T15:04:00.000Z',
    practiceSide: false,
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})
