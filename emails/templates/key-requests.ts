/** Emails about a request for a sandbox key, up to its claim. */

import { z } from 'zod'
import { count, describeLevel, instant, keyLevel, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const keyRequestReceived = defineMail({
  props: z.object({ name: line, keyName: line, level: keyLevel, requestId: line }),
  links: [],
  subject: ({ keyName }) => `We received your key request: ${keyName}`,
  letter: ({ name, keyName, level, requestId }, { page }) => ({
    preview: 'The link to claim the key follows in a moment.',
    heading: 'We received your key request',
    happened: `Hello ${name}. You asked for the sandbox key ${keyName}, level ${describeLevel(level)}.`,
    means:
      'It is being checked automatically. A second mail with a link to claim the key follows, usually within a minute.',
    todo: 'Wait for the second mail.',
    byWhen: null,
    otherwise: 'The second mail comes anyway. If it has not come within an hour, see the keys page.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [['Key request', requestId]],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    level: 'read_only',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

export const keyRequestReview = defineMail({
  props: z.object({ name: line, keyName: line, requestId: line }),
  links: [],
  subject: ({ keyName }) => `A person looks at your key request: ${keyName}`,
  letter: ({ name, keyName, requestId }, { page }) => ({
    preview: 'Our turn. We write the same business day.',
    heading: 'A person looks at your key request',
    happened: `Hello ${name}. The automatic check handed your request for ${keyName} to a reviewer.`,
    means: 'That is no refusal. A reviewer reads it the same business day.',
    todo: 'Nothing for now. We write to you when it is decided, or when we need to know more.',
    byWhen: null,
    otherwise: 'The request goes on by itself.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [['Key request', requestId]],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

const asked = {
  purpose: 'What the project does with the data, and for whom.',
  real_data: 'That no real person’s data comes into the sandbox.',
  contact: 'A technical contact who answers.',
  organization: 'Who is behind the organization.',
} as const

const questionCodes = Object.keys(asked) as (keyof typeof asked)[]

export const keyRequestNeedsInfo = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    codes: z.array(z.enum(questionCodes)).min(1),
    note: z.string().max(1_000).nullable(),
    requestId: line,
  }),
  links: [],
  subject: ({ keyName }) => `We need to know more about your key request: ${keyName}`,
  letter: ({ name, keyName, codes: wanted, note, requestId }, { page }) => ({
    preview: 'Your turn.',
    heading: 'We need to know more about your key request',
    happened: `Hello ${name}. A reviewer read your request for ${keyName} and needs to know more.`,
    means: `It waits for you. Missing: ${wanted.map((code) => asked[code]).join(' ')}`,
    todo: 'Answer on the keys page, in the description of your project.',
    byWhen: null,
    otherwise: 'The request keeps waiting. No key is made.',
    action: { label: 'Answer', url: page('/developers/keys') },
    facts: [
      ...(note ? [['The reviewer says', note.replace(/\s+/gu, ' ')] as const] : []),
      ['Key request', requestId],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    codes: ['real_data'],
    note: 'You mention production data: which?',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

const reasons = {
  real_data: 'The sandbox is for synthetic people only.',
  no_project: 'We could not see a project behind the request.',
  misuse: 'Earlier keys were used against the sandbox terms.',
  duplicate: 'The same project has a key already.',
} as const

const reasonCodes = Object.keys(reasons) as (keyof typeof reasons)[]

export const keyRequestDeclined = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    codes: z.array(z.enum(reasonCodes)).min(1),
    note: z.string().max(1_000).nullable(),
    requestId: line,
  }),
  links: [],
  subject: ({ keyName }) => `Your key request was declined: ${keyName}`,
  letter: ({ name, keyName, codes: given, note, requestId }, { page }) => ({
    preview: 'With the reason, and what would change it.',
    heading: 'Your key request was declined',
    happened: `Hello ${name}. A reviewer declined your request for ${keyName}.`,
    means: `No key was made. ${given.map((code) => reasons[code]).join(' ')}`,
    todo: 'If the reason no longer holds, make a new request and say what has changed.',
    byWhen: null,
    otherwise: 'Nothing more happens.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [
      ...(note ? [['The reviewer says', note.replace(/\s+/gu, ' ')] as const] : []),
      ['Key request', requestId],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    codes: ['no_project'],
    note: null,
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

const parts = {
  description: 'what you are building, in at least 50 characters',
  contact: 'a technical contact',
  terms: 'your acceptance of the sandbox terms',
} as const

const names = Object.keys(parts) as (keyof typeof parts)[]

/** Says nothing of what the mail said: whoever wrote it may not be who reads this. */
export const keyDraft = defineMail({
  props: z.object({ missing: z.array(z.enum(names)), expiresAt: instant, requestId: line }),
  links: ['confirmUrl'],
  subject: () => 'Confirm that you asked for a sandbox key',
  letter: ({ missing, expiresAt, requestId }, { links, instant }) => ({
    preview:
      missing.length === 0
        ? 'One confirmation, and the key is on its way.'
        : 'One page to fill in, and the key is on its way.',
    heading: 'Confirm that you asked for a sandbox key',
    happened: 'A mail from this address asked us for a sandbox key.',
    means:
      missing.length === 0
        ? 'Your email holds everything that we need. Nothing was made yet.'
        : `Nothing was made yet. Missing: ${missing.map((part) => parts[part]).join('; ')}.`,
    todo:
      missing.length === 0
        ? 'Open the link, sign in or sign up with this address, and confirm. If you did not ask: do nothing.'
        : 'Open the link, sign in or sign up with this address, and fill in what is missing. If you did not ask: do nothing.',
    byWhen: instant(expiresAt),
    otherwise: 'The link ends and what the mail said is deleted.',
    action: {
      label: missing.length === 0 ? 'Confirm the request' : 'Confirm and fill in the rest',
      url: links.confirmUrl,
    },
    facts: [['Draft', requestId]],
  }),
  example: {
    missing: ['contact', 'terms'],
    expiresAt: '2026-11-23T15:04:00.000Z',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

export const keyClaim = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    level: keyLevel,
    practiceName: line,
    expiresAt: instant,
    requestId: line,
    /** Sent in place of a link that expired. */
    again: z.boolean(),
  }),
  links: ['claimUrl'],
  subject: ({ keyName, again }) =>
    again ? `New link to claim your key: ${keyName}` : `Claim your key: ${keyName}`,
  letter: ({ name, keyName, level, practiceName, expiresAt, requestId, again }, { links, instant }) => ({
    preview: 'The link works once. The key itself is never mailed.',
    heading: again ? 'Here is a new link to claim your key' : 'Your key is ready to claim',
    happened: again
      ? `Hello ${name}. You asked for a new link for the sandbox key ${keyName}; links sent earlier no longer work.`
      : `Hello ${name}. Your request for the sandbox key ${keyName} was approved.`,
    means:
      'The key is made at the moment you claim it and shown once. It is never mailed and we keep no copy of it.',
    todo: 'Open the link, sign in, and store the key on your server. It does not belong in a browser or an app.',
    byWhen: instant(expiresAt),
    otherwise: 'The link stops working and no key is made. You can ask for a new link, three times at most.',
    action: { label: 'Claim the key', url: links.claimUrl },
    facts: [
      ['Level', describeLevel(level)],
      ['Practice', practiceName],
      ['Key request', requestId],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    level: 'read_only',
    practiceName: 'Samplewood Health Apps sandbox',
    expiresAt: '2026-11-23T15:04:00.000Z',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
    again: false,
  },
})

export const keyClaimExpired = defineMail({
  props: z.object({ name: line, keyName: line, reissuesLeft: count, requestId: line }),
  links: [],
  subject: ({ keyName }) => `The link to claim your key has expired: ${keyName}`,
  letter: ({ name, keyName, reissuesLeft, requestId }, { page }) => ({
    preview: reissuesLeft > 0 ? 'You can ask for a new one.' : 'You can make a new request.',
    heading: 'The link to claim your key has expired',
    happened: `Hello ${name}. The sandbox key ${keyName} was not claimed within 72 hours.`,
    means: 'The link no longer works. No key was made.',
    todo:
      reissuesLeft > 0
        ? `If you still want the key, ask for a new link on the keys page. You can do so ${times(reissuesLeft)}.`
        : 'If you still want the key, make a new request. No further link can be sent for this one.',
    byWhen: null,
    otherwise: 'The request stays unclaimed. You can come back to it whenever you like.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [['Key request', requestId]],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    reissuesLeft: 2,
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

const times = (left: number) => (left === 1 ? 'once more' : `${left} more times`)
