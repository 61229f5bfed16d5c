/** Emails about a request for a sandbox key, up to its claim. */

import { z } from 'zod'
import { count, describeLevel, instant, keyLevel, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const keyRequestReceived = defineMail({
  props: z.object({ name: line, keyName: line, level: keyLevel, requestId: line }),
  links: [],
  subject: ({ keyName }) => `We received your key request: ${keyName}`,
  letter: ({ name, keyName, level, requestId }, { page }) => ({
    preview: 'We’ll send the link to claim the key in a moment.',
    heading: 'We received your key request',
    happened: `Hello ${name}. You requested the sandbox key ${keyName} with access level ${describeLevel(level)}.`,
    means:
      'An automatic check is running. A second email with a link to claim the key usually follows within a minute.',
    todo: 'Wait for the second email.',
    byWhen: null,
    otherwise: 'The second email is sent anyway. If it hasn’t arrived within an hour, check the keys page.',
    action: { label: 'View keys', url: page('/developers/keys') },
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
  subject: ({ keyName }) => `Your key request is in review: ${keyName}`,
  letter: ({ name, keyName, requestId }, { page }) => ({
    preview: 'We reply on the same business day.',
    heading: 'Your key request is in review',
    happened: `Hello ${name}. The automatic check passed your request for ${keyName} to a reviewer.`,
    means: 'It has not been declined. A reviewer reads it on the same business day.',
    todo: 'Nothing for now. We email you when we decide or if we need more information.',
    byWhen: null,
    otherwise: 'The review continues.',
    action: { label: 'View keys', url: page('/developers/keys') },
    facts: [['Key request', requestId]],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

const asked = {
  purpose: 'Describe what the project does with the data, and for whom.',
  real_data: 'Confirm that no real person’s data enters the sandbox.',
  contact: 'Name a technical contact who responds.',
  organization: 'Describe who is behind the organization.',
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
  subject: ({ keyName }) => `More information needed for your key request: ${keyName}`,
  letter: ({ name, keyName, codes: wanted, note, requestId }, { page }) => ({
    preview: 'Answer the reviewer’s questions.',
    heading: 'We need more information about your key request',
    happened: `Hello ${name}. A reviewer read your request for ${keyName} and needs more information.`,
    means: `The request is on hold until you answer. ${wanted.map((code) => asked[code]).join(' ')}`,
    todo: 'On the keys page, add the answer to your project description.',
    byWhen: null,
    otherwise: 'The request stays on hold. No key is created.',
    action: { label: 'Answer', url: page('/developers/keys') },
    facts: [
      ...(note ? [['Reviewer’s note', note.replace(/\s+/gu, ' ')] as const] : []),
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
  no_project: 'The request doesn’t describe a project.',
  misuse: 'Earlier keys were used against the sandbox terms.',
  duplicate: 'The same project already has a key.',
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
    preview: 'The reason, and what you can do.',
    heading: 'Your key request was declined',
    happened: `Hello ${name}. A reviewer declined your request for ${keyName}.`,
    means: `No key was created. ${given.map((code) => reasons[code]).join(' ')}`,
    todo: 'If the reason no longer applies, submit a new request and say what has changed.',
    byWhen: null,
    otherwise: 'Nothing else happens.',
    action: { label: 'View keys', url: page('/developers/keys') },
    facts: [
      ...(note ? [['Reviewer’s note', note.replace(/\s+/gu, ' ')] as const] : []),
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
  subject: () => 'Confirm your sandbox key request',
  letter: ({ missing, expiresAt, requestId }, { links, instant }) => ({
    preview:
      missing.length === 0 ? 'Confirm your request to get the key.' : 'Complete your request to get the key.',
    heading: 'Confirm your sandbox key request',
    happened: 'We received an email from this address that requests a sandbox key.',
    means:
      missing.length === 0
        ? 'Your email contains everything we need. No key has been created yet.'
        : `No key has been created yet. Missing: ${missing.map((part) => parts[part]).join('; ')}.`,
    todo:
      missing.length === 0
        ? 'Open the link, sign in or sign up with this address, and confirm. If you didn’t request a key, ignore this email.'
        : 'Open the link, sign in or sign up with this address, and fill in what is missing. If you didn’t request a key, ignore this email.',
    byWhen: instant(expiresAt),
    otherwise: 'The link expires, and we delete the content of the email.',
    action: {
      label: missing.length === 0 ? 'Confirm the request' : 'Confirm and complete',
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
    preview: 'The link works once. The key itself is never emailed.',
    heading: again ? 'Here is a new link to claim your key' : 'Your key is ready to claim',
    happened: again
      ? `Hello ${name}. You requested a new link for the sandbox key ${keyName}. Earlier links no longer work.`
      : `Hello ${name}. Your request for the sandbox key ${keyName} was approved.`,
    means: 'The key is created when you claim it and shown once. It is never emailed, and we keep no copy.',
    todo: 'Open the link, sign in, and store the key on your server. Never put it in a browser or an app.',
    byWhen: instant(expiresAt),
    otherwise: 'The link expires and no key is created. You can request a new link up to three times.',
    action: { label: 'Claim key', url: links.claimUrl },
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
    preview: reissuesLeft > 0 ? 'You can request a new link.' : 'You can submit a new request.',
    heading: 'The link to claim your key has expired',
    happened: `Hello ${name}. The sandbox key ${keyName} was not claimed within 72 hours.`,
    means: 'The link no longer works. No key was created.',
    todo:
      reissuesLeft > 0
        ? `If you still want the key, request a new link on the keys page. You can do so ${times(reissuesLeft)}.`
        : 'If you still want the key, submit a new request. We can’t send another link for this one.',
    byWhen: null,
    otherwise: 'The request stays unclaimed. You can return to it at any time.',
    action: { label: 'View keys', url: page('/developers/keys') },
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
