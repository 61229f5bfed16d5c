import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const newDevice = defineMail({
  props: z.object({ name: line, at: instant, ip: line, device: line }),
  links: [],
  subject: () => 'New sign-in to your account',
  letter: ({ name, at, ip, device }, { page, instant }) => ({
    preview: 'If this was you, there is nothing to do.',
    heading: 'Somebody signed in on a new device',
    happened: `Hello ${name}. Your account was signed in to from a browser we have not seen with it before.`,
    means: 'If this was you, all is well. If not, somebody knows your password.',
    todo: 'If it was not you: end that session on the sessions page and change your password.',
    byWhen: null,
    otherwise: 'The session stays signed in until it ends by itself.',
    action: { label: 'See my sessions', url: page('/account/sessions') },
    facts: [
      ['When', instant(at)],
      ['Browser', device],
      ['From', ip],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    at: '2026-11-20T15:04:00.000Z',
    ip: '203.0.113.7',
    device: 'Firefox on Linux',
  },
})
