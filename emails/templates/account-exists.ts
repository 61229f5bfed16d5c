import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const accountExists = defineMail({
  props: z.object({ name: line, at: instant }),
  links: [],
  subject: () => 'You already have an account',
  letter: ({ name, at }, { page, instant }) => ({
    preview: 'Somebody tried to sign up with your address.',
    heading: 'You already have an account',
    happened: `Hello ${name}. On ${instant(at)} somebody, perhaps you, tried to make a Sandpiper account with this mail address.`,
    means: 'You have one already. Nothing about it was changed, and nobody was told that it exists.',
    todo: 'Sign in with your password, or choose “Forgotten password” on that page.',
    byWhen: null,
    otherwise: 'Everything stays as it is. If it was not you, you need not do anything.',
    action: { label: 'Sign in', url: page('/sign-in') },
    facts: [],
  }),
  example: { name: 'Robin Testwell', at: '2026-11-20T15:04:00.000Z' },
})
