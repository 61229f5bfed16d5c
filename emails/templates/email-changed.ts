import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const emailChanged = defineMail({
  props: z.object({ name: line, newAddress: line, at: instant, ip: line }),
  links: [],
  subject: () => 'Your mail address was changed',
  letter: ({ name, newAddress, at, ip }, { page, instant }) => ({
    preview: 'If this was you, there is nothing to do.',
    heading: 'Your mail address was changed',
    happened: `Hello ${name}. Your account has another mail address now; it was confirmed there with your password.`,
    means: 'You sign in with the new address, and this is the last mail that comes here.',
    todo: 'If it was not you: write to security@sandpiper.example at once, and let an owner of your organization remove the account.',
    byWhen: null,
    otherwise: 'The new address stays.',
    action: { label: 'Go to the sign-in page', url: page('/sign-in') },
    facts: [
      ['New address', newAddress],
      ['When', instant(at)],
      ['From', ip],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    newAddress: 'r…@s….example',
    at: '2026-11-20T15:04:00.000Z',
    ip: '203.0.113.7',
  },
})
