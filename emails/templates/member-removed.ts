import { z } from 'zod'
import { line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const memberRemoved = defineMail({
  props: z.object({ name: line, organizationName: line, by: line }),
  links: [],
  subject: ({ organizationName }) => `You no longer belong to ${organizationName}`,
  letter: ({ name, organizationName, by }, { page }) => ({
    preview: 'Your account stays open.',
    heading: `You no longer belong to ${organizationName}`,
    happened: `Hello ${name}. ${by} removed you from the organization ${organizationName}.`,
    means:
      'You no longer see its keys and apps. Keys you made there go on working for the organization. Your account stays open.',
    todo: 'If this is a mistake, ask an owner of the organization to invite you again.',
    byWhen: null,
    otherwise: 'Nothing else changes.',
    action: { label: 'Go to the developer pages', url: page('/developers') },
    facts: [],
  }),
  example: { name: 'Kim Placeholder', organizationName: 'Samplewood Health Apps', by: 'Robin Testwell' },
})
