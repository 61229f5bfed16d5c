import { z } from 'zod'
import { describeLevel, instant, keyLevel, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

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
