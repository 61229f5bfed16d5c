import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const passwordChanged = defineMail({
  props: z.object({ name: line, at: instant, ip: line }),
  links: [],
  subject: () => 'Your password was changed',
  letter: ({ name, at, ip }, { page, instant }) => ({
    preview: 'If this was you, there is nothing to do.',
    heading: 'Your password was changed',
    happened: `Hello ${name}. The password of your account was changed.`,
    means: 'Other browsers that were signed in have been signed out. Your API keys go on working.',
    todo: 'If it was not you: choose “Forgotten password” on the sign-in page now, and revoke keys you do not know.',
    byWhen: null,
    otherwise: 'The new password stays.',
    action: { label: 'Go to the sign-in page', url: page('/sign-in') },
    facts: [
      ['When', instant(at)],
      ['From', ip],
    ],
  }),
  example: { name: 'Robin Testwell', at: '2026-11-20T15:04:00.000Z', ip: '203.0.113.7' },
})
