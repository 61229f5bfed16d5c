import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

const signInPages = { developer: '/sign-in', staff: '/staff/sign-in', practice: '/practice/sign-in' } as const

export const secondFactorReset = defineMail({
  props: z.object({
    name: line,
    /** At whose front door they sign in. */
    realm: z.enum(['developer', 'staff', 'practice']),
    at: instant,
    by: line,
    /** In the words of whoever did it; several lines are joined. */
    reason: z
      .string()
      .max(500)
      .transform((text) => text.replace(/\s+/gu, ' ').trim()),
  }),
  links: [],
  subject: () => 'Your second step was reset',
  letter: ({ name, realm, at, by, reason }, { page, instant }) => ({
    preview: 'If you did not ask for it, tell the security contact now.',
    heading: 'Your second step was reset',
    happened: `Hello ${name}. ${by} took your authenticator app and your recovery codes off your account.`,
    means: 'You are signed out everywhere. Your password is the same, and your old codes are worth nothing.',
    todo: 'Sign in and set the second step up again, with your own app.',
    byWhen: null,
    otherwise:
      'Whoever has your password can set it up in your place. If you did not ask for this, write to the security contact before anything else.',
    action: { label: 'Go to the sign-in', url: page(signInPages[realm]) },
    facts: [
      ['When', instant(at)],
      ['By', by],
      ['Reason', reason],
    ],
  }),
  example: {
    name: 'Odell Placeholder',
    realm: 'staff',
    at: '2026-11-20T15:04:00.000Z',
    by: 'Kim Placeholder',
    reason: 'The phone was lost, and the recovery codes with it. Spoke in person.',
  },
})
