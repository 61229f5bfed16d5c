import { z } from 'zod'
import { line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const invitationCancelled = defineMail({
  props: z.object({ organizationName: line }),
  links: [],
  subject: ({ organizationName }) => `Your invitation to ${organizationName} was withdrawn`,
  letter: ({ organizationName }, { page }) => ({
    preview: 'The link in the earlier mail no longer works.',
    heading: 'An invitation was withdrawn',
    happened: `The invitation to the organization ${organizationName} on Sandpiper was withdrawn.`,
    means: 'The link in the earlier mail no longer works. Your own account, if you have one, is not touched.',
    todo: 'Nothing. If you expected to join, ask the person who invited you.',
    byWhen: null,
    otherwise: 'Nothing changes.',
    action: { label: 'Go to Sandpiper', url: page('/') },
    facts: [],
  }),
  example: { organizationName: 'Samplewood Health Apps' },
})
