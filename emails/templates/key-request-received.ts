import { z } from 'zod'
import { describeLevel, keyLevel, line } from '../fields.ts'
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
