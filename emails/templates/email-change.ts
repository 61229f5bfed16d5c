import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const emailChange = defineMail({
  props: z.object({ name: line, expiresAt: instant }),
  links: ['confirmUrl'],
  subject: () => 'Confirm your new mail address',
  letter: ({ name, expiresAt }, { links, instant }) => ({
    preview: 'One step, and your account has this address.',
    heading: 'Confirm your new mail address',
    happened: `Hello ${name}. Somebody, probably you, asked to use this mail address for a Sandpiper account.`,
    means: 'From the moment you confirm it you sign in with this address, and our mails come here.',
    todo: 'Open the link and give the password of your account.',
    byWhen: `${instant(expiresAt)}. You can ask again on the account page.`,
    otherwise: 'The account keeps the address it has. If it was not you, ignore this mail.',
    action: { label: 'Confirm my new address', url: links.confirmUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', expiresAt: '2026-11-21T15:04:00.000Z' },
})
