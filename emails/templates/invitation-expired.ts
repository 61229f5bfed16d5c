import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const invitationExpired = defineMail({
  props: z.object({
    name: line,
    invitedEmail: line,
    organizationName: line,
    organizationSlug: line,
    expiredAt: instant,
  }),
  links: [],
  subject: ({ invitedEmail }) => `Your invitation to ${invitedEmail} has lapsed`,
  letter: ({ name, invitedEmail, organizationName, organizationSlug, expiredAt }, { page, instant }) => ({
    preview: 'Nobody accepted it within seven days.',
    heading: 'An invitation has lapsed',
    happened: `Hello ${name}. ${invitedEmail} did not accept your invitation to ${organizationName} within seven days.`,
    means: `Its link stopped working on ${instant(expiredAt)}.`,
    todo: 'If they are still welcome, press “Renew” on the members page. They get a new mail.',
    byWhen: null,
    otherwise: 'The invitation stays lapsed.',
    action: {
      label: 'See the members',
      url: page(`/organizations/${encodeURIComponent(organizationSlug)}/members`),
    },
    facts: [],
  }),
  example: {
    name: 'Robin Testwell',
    invitedEmail: 'kim@samplewood.example',
    organizationName: 'Samplewood Health Apps',
    organizationSlug: 'samplewood-health-apps',
    expiredAt: '2026-11-27T15:04:00.000Z',
  },
})
