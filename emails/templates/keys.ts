/** Emails about a sandbox key once it is claimed. */

import { z } from 'zod'
import { instant, keyIdPart, line } from '../fields.ts'
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
  subject: ({ keyName }) => `Your key was revealed: ${keyName}`,
  letter: ({ name, keyName, prefixStart, at, ip, expiresAt, requestId }, { page, instant }) => ({
    preview: 'If this was you, there is nothing to do.',
    heading: 'Your key was revealed',
    happened: `Hello ${name}. The sandbox key ${keyName} was made and shown, once.`,
    means: `It works from now until ${instant(expiresAt)}. Nobody can show it again, we neither.`,
    todo: 'If it was not you or a colleague: revoke the key now.',
    byWhen: null,
    otherwise: 'The key works until it expires.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [
      ['When', instant(at)],
      ['From', ip],
      ['Key id', prefixStart],
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
    /** In the revoker's words; several lines are joined. */
    reason: z
      .string()
      .max(500)
      .transform((text) => text.replace(/\s+/gu, ' ').trim())
      .nullable(),
    requestId: line,
  }),
  links: [],
  subject: ({ keyName }) => `A key was revoked: ${keyName}`,
  letter: ({ name, keyName, prefixStart, at, by, reason, requestId }, { page, instant }) => ({
    preview: 'It no longer works, and this cannot be undone.',
    heading: 'A key was revoked',
    happened: `Hello ${name}. ${by} revoked the key ${keyName}.`,
    means: 'Requests made with it are refused from now on. This cannot be undone.',
    todo: 'If something still uses the key, ask for a new one and put it in its place.',
    byWhen: null,
    otherwise: 'What used the key gets the answer 401.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [
      ['When', instant(at)],
      ['Key id', prefixStart],
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
    preview: oldEndsAt ? 'The old key works for a while beside the new one.' : 'The old key works no more.',
    heading: 'Your key was rotated',
    happened: `Hello ${name}. A new key took the place of ${keyName} and was shown, once.`,
    means: oldEndsAt
      ? `The old key works until ${instant(oldEndsAt)}. The keys page shows whether it is still used, and from where.`
      : 'The old key stopped at once.',
    todo: oldEndsAt
      ? 'Put the new key in place wherever the old one is used. If nobody of you did this: revoke both keys now.'
      : 'Put the new key in place wherever the old one was used. If nobody of you did this: revoke the new key now.',
    byWhen: oldEndsAt ? instant(oldEndsAt) : null,
    otherwise: 'What uses the old key after its end gets the answer 401.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [
      ['When', instant(at)],
      ['Old key id', oldStart],
      ['New key id', newStart],
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
  subject: ({ keyName }) => `Your key ends soon: ${keyName}`,
  letter: (props, { page, instant }) => ({
    preview: props.sandbox ? 'One click keeps it.' : 'Renew it in time.',
    heading: 'Your key ends soon',
    happened: `Hello ${props.name}. The key ${props.keyName} for ${props.practiceName} ends on ${instant(props.expiresAt)}.`,
    means: 'Until then nothing changes.',
    todo: props.sandbox
      ? 'If you still use it, extend it on the keys page, or rotate it and put the new key in place.'
      : 'If you still use it, rotate it and put the new key in place.',
    byWhen: instant(props.expiresAt),
    otherwise: 'The key ends. What uses it gets the answer 401.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [
      ['Key id', props.prefixStart],
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
  subject: ({ keyName }) => `Your key has ended: ${keyName}`,
  letter: (props, { page, instant }) => ({
    preview: 'It no longer works.',
    heading: 'Your key has ended',
    happened: `Hello ${props.name}. The key ${props.keyName} for ${props.practiceName} ended on ${instant(props.expiresAt)}.`,
    means: 'Requests made with it are refused from then on. An ended key cannot be brought back.',
    todo: 'If something still uses it, ask for a new key and put it in its place.',
    byWhen: null,
    otherwise: 'What used the key gets the answer 401.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [
      ['Key id', props.prefixStart],
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
  subject: ({ keyName }) => `A key was found in the open and revoked: ${keyName}`,
  letter: (props, { page, instant }) => ({
    preview: 'It stopped at once.',
    heading: 'A key was found in the open and revoked',
    happened: `Hello ${props.name}. Somebody who had found the key ${props.keyName} for ${props.practiceName} reported it.`,
    means: 'Whoever reported it holds the whole key, so others may too. It was revoked at that moment.',
    todo: props.practiceSide
      ? 'Nothing to switch off. Look at what the key read lately, and talk to the developer.'
      : 'Find out where it lay open and take it away there. Look at the key’s activity for calls that were not yours, then ask for a new key.',
    byWhen: null,
    otherwise: 'The key stays revoked. What used it gets the answer 401.',
    action: props.practiceSide
      ? { label: 'Open the practice console', url: page('/practice/sign-in') }
      : { label: 'See my keys', url: page('/developers/keys') },
    facts: [
      ['When', instant(props.at)],
      ['Key id', props.prefixStart],
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
