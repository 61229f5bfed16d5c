import { z } from 'zod'
import { line } from '../fields.ts'
import { defineMail } from '../letter.ts'

const reasons = {
  real_data: 'The sandbox is for synthetic people only.',
  no_project: 'We could not see a project behind the request.',
  misuse: 'Earlier keys were used against the sandbox terms.',
  duplicate: 'The same project has a key already.',
} as const

const codes = Object.keys(reasons) as (keyof typeof reasons)[]

export const keyRequestDeclined = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    codes: z.array(z.enum(codes)).min(1),
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
