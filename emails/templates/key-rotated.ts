import { z } from 'zod'
import { instant, keyIdPart, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

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
