import { z } from 'zod'
import { count, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const keyClaimExpired = defineMail({
  props: z.object({ name: line, keyName: line, reissuesLeft: count, requestId: line }),
  links: [],
  subject: ({ keyName }) => `The link to claim your key has expired: ${keyName}`,
  letter: ({ name, keyName, reissuesLeft, requestId }, { page }) => ({
    preview: reissuesLeft > 0 ? 'You can ask for a new one.' : 'You can make a new request.',
    heading: 'The link to claim your key has expired',
    happened: `Hello ${name}. The sandbox key ${keyName} was not claimed within 72 hours.`,
    means: 'The link no longer works. No key was made.',
    todo:
      reissuesLeft > 0
        ? `If you still want the key, ask for a new link on the keys page. You can do so ${times(reissuesLeft)}.`
        : 'If you still want the key, make a new request. No further link can be sent for this one.',
    byWhen: null,
    otherwise: 'The request stays unclaimed. You can come back to it whenever you like.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [['Key request', requestId]],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    reissuesLeft: 2,
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})

const times = (left: number) => (left === 1 ? 'once more' : `${left} more times`)
