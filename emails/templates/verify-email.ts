import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const verifyEmail = defineMail({
  props: z.object({ name: line, expiresAt: instant }),
  links: ['verifyUrl'],
  subject: () => 'Confirm your mail address',
  letter: ({ name, expiresAt }, { links, instant }) => ({
    preview: 'One step, and your Sandpiper account is ready.',
    heading: `Hello ${name}, confirm your address`,
    happened: 'Somebody, probably you, made a Sandpiper account with this mail address.',
    means: 'The account opens as soon as you confirm that the address is yours.',
    todo: 'Open the link and give the password you chose when you signed up.',
    byWhen: `${instant(expiresAt)}. You can ask for a new link on the sign-in page.`,
    otherwise:
      'The account stays closed and is deleted seven days after it was made. If it was not you, ignore this mail.',
    action: { label: 'Confirm my address', url: links.verifyUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', expiresAt: '2026-11-21T15:04:00.000Z' },
})
