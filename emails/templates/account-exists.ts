import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const accountExists = defineMail({
  props: z.object({ name: line, at: instant, expiresAt: instant.nullable() }),
  links: ['resetUrl'],
  subject: () => 'You already have an account',
  letter: ({ name, at, expiresAt }, { links, page, instant }) => ({
    preview: 'Someone tried to sign up with your address.',
    heading: 'You already have an account',
    happened: `Hello ${name}. On ${instant(at)}, someone tried to sign up for Sandpiper with this email address. It may have been you.`,
    means: 'You already have an account. It has not changed, and we did not say that it exists.',
    todo:
      expiresAt === null
        ? 'Sign in with your password.'
        : 'Sign in with your password. If you forgot it, use the link below to choose a new one. The link works once.',
    byWhen: expiresAt === null ? null : instant(expiresAt),
    otherwise: 'Your account and password stay as they are. If it was not you, ignore this email.',
    action:
      expiresAt === null
        ? { label: 'Sign in', url: page('/sign-in') }
        : { label: 'Choose a new password', url: links.resetUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', at: '2026-11-20T15:04:00.000Z', expiresAt: '2026-11-20T16:04:00.000Z' },
})
