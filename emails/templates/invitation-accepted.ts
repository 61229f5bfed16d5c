import { z } from 'zod'
import { line, role } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const invitationAccepted = defineMail({
  props: z.object({
    name: line,
    memberName: line,
    memberEmail: line,
    organizationName: line,
    organizationSlug: line,
    role,
  }),
  links: [],
  subject: ({ memberName, organizationName }) => `${memberName} joined ${organizationName}`,
  letter: ({ name, memberName, memberEmail, organizationName, organizationSlug, role }, { page }) => ({
    preview: `Your invitation was accepted.`,
    heading: `${memberName} joined ${organizationName}`,
    happened: `Hello ${name}. ${memberName} (${memberEmail}) accepted your invitation.`,
    means: `They belong to ${organizationName} now, as ${role}.`,
    todo: 'Nothing. You can change the role or remove the member at any time.',
    byWhen: null,
    otherwise: 'Everything stays as it is.',
    action: {
      label: 'See the members',
      url: page(`/organizations/${encodeURIComponent(organizationSlug)}/members`),
    },
    facts: [],
  }),
  example: {
    name: 'Robin Testwell',
    memberName: 'Kim Placeholder',
    memberEmail: 'kim@samplewood.example',
    organizationName: 'Samplewood Health Apps',
    organizationSlug: 'samplewood-health-apps',
    role: 'developer',
  },
})
