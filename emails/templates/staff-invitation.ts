import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

const words = { reviewer: 'a reviewer', ops: 'a member of operations' } as const

/** The only way into a staff account that somebody else created. */
export const staffInvitation = defineMail({
  props: z.object({ name: line, role: z.enum(['reviewer', 'ops']), expiresAt: instant }),
  links: ['passwordUrl'],
  subject: () => 'Your Sandpiper staff account',
  letter: ({ name, role, expiresAt }, { links, instant: at }) => ({
    preview: 'Choose a password to sign in.',
    heading: 'You have a staff account',
    happened: `Hello ${name}. You were made ${words[role]} of this Sandpiper installation.`,
    means: 'You sign in with this email address, a password and an authenticator app.',
    todo: 'Open the link and choose a password. At your first sign-in you set up the authenticator app.',
    byWhen: at(expiresAt),
    otherwise: 'The link stops working. Ask the person who created your account for a new one.',
    action: { label: 'Choose a password', url: links.passwordUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', role: 'reviewer', expiresAt: '2026-11-23T15:04:00.000Z' },
})
