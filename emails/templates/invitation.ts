import { z } from 'zod'
import { instant, line, role } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const invitation = defineMail({
  props: z.object({ organizationName: line, invitedBy: line, role, expiresAt: instant, again: z.boolean() }),
  links: ['acceptUrl'],
  subject: ({ organizationName, again }) =>
    `${again ? 'Reminder: ' : ''}Join ${organizationName} on Sandpiper`,
  letter: ({ organizationName, invitedBy, role, expiresAt }, { links, instant }) => ({
    preview: `${invitedBy} invites you to ${organizationName}.`,
    heading: `Join ${organizationName}`,
    happened: `${invitedBy} invites you to the organization ${organizationName} on Sandpiper, as ${role}.`,
    means: 'As a member you see its API keys and apps and what they do. Only this mail address can accept.',
    todo: 'Open the link, sign in or make an account with this address, and accept.',
    byWhen: instant(expiresAt),
    otherwise: 'The invitation lapses and nothing changes. If you do not know who this is, ignore this mail.',
    action: { label: 'See the invitation', url: links.acceptUrl },
    facts: [],
  }),
  example: {
    organizationName: 'Samplewood Health Apps',
    invitedBy: 'Robin Testwell',
    role: 'developer',
    expiresAt: '2026-11-27T15:04:00.000Z',
    again: false,
  },
})
