import { z } from 'zod'
import { line } from '../fields.ts'
import { defineMail } from '../letter.ts'

/** To the admins of every practice that an organization reaches, or asks to reach. */
export const organizationRenamed = defineMail({
  props: z.object({
    name: line,
    formerName: line,
    organizationName: line,
    by: line,
    practiceName: line,
  }),
  links: [],
  subject: ({ formerName }) => `New name for ${formerName}`,
  letter: ({ name, formerName, organizationName, by, practiceName }, { page }) => ({
    preview: 'Its keys, apps and agreements with your practice stay the same.',
    heading: 'A developer organization has a new name',
    happened: `Hello ${name}. ${by} renamed the organization ${formerName} to ${organizationName}.`,
    means: `It has, or requests, access to records of ${practiceName}. Its keys, apps and agreements stay the same.`,
    todo: 'If the new name surprises you, ask the people you know there before you approve anything for it.',
    byWhen: null,
    otherwise: 'Nothing else changes. Access continues under the new name.',
    action: { label: 'See who has access', url: page('/practice') },
    facts: [
      ['Former name', formerName],
      ['New name', organizationName],
    ],
  }),
  example: {
    name: 'Theo Placeholder',
    formerName: 'Samplewood Health Apps',
    organizationName: 'Samplewood Care',
    by: 'Robin Testwell',
    practiceName: 'Fennmoor Family Practice',
  },
})
