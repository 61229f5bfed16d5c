import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

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
