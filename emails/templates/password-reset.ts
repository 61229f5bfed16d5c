import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const passwordReset = defineMail({
  props: z.object({ name: line, expiresAt: instant }),
  links: ['resetUrl'],
  subject: () => 'Choose a new password',
  letter: ({ name, expiresAt }, { links, instant }) => ({
    preview: 'The link works once and for one hour.',
    heading: 'Choose a new password',
    happened: `Hello ${name}. Somebody, probably you, asked for a new password for this account.`,
    means:
      'The link below lets you choose one. It works once. Afterwards every browser that is signed in is signed out.',
    todo: 'Open the link and choose a new password.',
    byWhen: instant(expiresAt),
    otherwise: 'Your password stays as it is. If it was not you, ignore this mail.',
    action: { label: 'Choose a new password', url: links.resetUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', expiresAt: '2026-11-20T16:04:00.000Z' },
})
