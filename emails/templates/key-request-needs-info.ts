import { z } from 'zod'
import { line } from '../fields.ts'
import { defineMail } from '../letter.ts'

const asked = {
  purpose: 'What the project does with the data, and for whom.',
  real_data: 'That no real person’s data comes into the sandbox.',
  contact: 'A technical contact who answers.',
  organization: 'Who is behind the organization.',
} as const

const codes = Object.keys(asked) as (keyof typeof asked)[]

export const keyRequestNeedsInfo = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    codes: z.array(z.enum(codes)).min(1),
    note: z.string().max(1_000).nullable(),
    requestId: line,
  }),
  links: [],
  subject: ({ keyName }) => `We need to know more about your key request: ${keyName}`,
  letter: ({ name, keyName, codes: wanted, note, requestId }, { page }) => ({
    preview: 'Your turn.',
    heading: 'We need to know more about your key request',
    happened: `Hello ${name}. A reviewer read your request for ${keyName} and needs to know more.`,
    means: `It waits for you. Missing: ${wanted.map((code) => asked[code]).join(' ')}`,
    todo: 'Answer on the keys page, in the description of your project.',
    byWhen: null,
    otherwise: 'The request keeps waiting. No key is made.',
    action: { label: 'Answer', url: page('/developers/keys') },
    facts: [
      ...(note ? [['The reviewer says', note.replace(/\s+/gu, ' ')] as const] : []),
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
