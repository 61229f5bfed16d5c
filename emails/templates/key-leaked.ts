import { z } from 'zod'
import { instant, keyIdPart, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

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
