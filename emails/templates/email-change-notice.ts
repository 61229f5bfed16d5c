import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const emailChangeNotice = defineMail({
  props: z.object({ name: line, newAddress: line, at: instant, ip: line }),
  links: [],
  subject: () => 'A new mail address was asked for',
  letter: ({ name, newAddress, at, ip }, { page, instant }) => ({
    preview: 'If this was you, there is nothing to do here.',
    heading: 'A new mail address was asked for',
    happened: `Hello ${name}. Somebody who knows your password asked to use another mail address for your account.`,
    means: 'Nothing has changed yet. It changes when the link that we mailed to the new address is used.',
    todo: 'If it was not you: cancel the change on the account page, then change your password.',
    byWhen: null,
    otherwise: 'The new address takes the place of this one as soon as it is confirmed.',
    action: { label: 'Go to the account page', url: page('/account/email') },
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
