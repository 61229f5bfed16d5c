import { z } from 'zod'
import { instant, keyIdPart, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

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
