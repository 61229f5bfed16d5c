import { z } from 'zod'
import { instant, keyIdPart, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

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
