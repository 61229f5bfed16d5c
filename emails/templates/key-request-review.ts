import { z } from 'zod'
import { line } from '../fields.ts'
import { defineMail } from '../letter.ts'

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
