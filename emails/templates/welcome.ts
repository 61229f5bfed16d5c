import { z } from 'zod'
import { line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const welcome = defineMail({
  props: z.object({ name: line }),
  links: [],
  subject: () => 'Your Sandpiper account is open',
  letter: ({ name }, { page }) => ({
    preview: 'Next: an organization and a sandbox key.',
    heading: `Welcome, ${name}`,
    happened: 'You confirmed your mail address.',
    means: 'Your account is open. A sandbox key lets you read synthetic patients within a few minutes.',
    todo: 'Sign in, name your organization and ask for a sandbox key.',
    byWhen: null,
    otherwise: 'Your account stays open; you can start whenever you like.',
    action: { label: 'Go to the developer pages', url: page('/developers') },
    facts: [],
  }),
  example: { name: 'Robin Testwell' },
})
