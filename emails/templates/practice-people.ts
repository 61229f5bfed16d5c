/** People of a practice: invited, given another role, removed. */
import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

const practiceRole = z.enum(['admin', 'signatory', 'clinician'])
const words = { admin: 'an admin', signatory: 'a signatory', clinician: 'a clinician' } as const

export const practiceInvitation = defineMail({
  props: z.object({ practiceName: line, invitedBy: line, role: practiceRole, expiresAt: instant }),
  links: ['acceptUrl'],
  subject: ({ practiceName }) => `Invitation to ${practiceName}`,
  letter: ({ practiceName, invitedBy, role, expiresAt }, { links, instant: at }) => ({
    preview: 'You are invited to the practice console.',
    heading: 'You are invited',
    happened: `${invitedBy} invited you to the practice console of ${practiceName}, as ${words[role]}.`,
    means:
      'In the console you see which apps and keys can reach the practice’s records, and you can stop them.',
    todo: 'Open the link and choose a password, or sign in if you already have one.',
    byWhen: at(expiresAt),
    otherwise: 'The link expires. The person who invited you can send a new one.',
    action: { label: 'Accept invitation', url: links.acceptUrl },
    facts: [],
  }),
  example: {
    practiceName: 'Fennmoor Family Practice',
    invitedBy: 'Theo Placeholder',
    role: 'signatory',
    expiresAt: '2026-11-27T15:04:00.000Z',
  },
})

export const practiceRoleChanged = defineMail({
  props: z.object({
    name: line,
    practiceName: line,
    role: practiceRole,
    given: z.boolean(),
    by: line,
    at: instant,
  }),
  links: [],
  subject: ({ practiceName }) => `Your role at ${practiceName} changed`,
  letter: ({ name, practiceName, role, given, by, at }, { page, instant: moment }) => ({
    preview: given ? 'You have a new role.' : 'A role was removed.',
    heading: 'Your role has changed',
    happened: `Hello ${name}. ${by} ${given ? 'gave you the role' : 'removed your role as'} ${words[role]} of ${practiceName}.`,
    means: 'Your roles decide what you can do in the console.',
    todo: 'If you didn’t expect this, ask an admin of the practice.',
    byWhen: null,
    otherwise: 'The change stays in place.',
    action: { label: 'Open the console', url: page('/practice') },
    facts: [['When', moment(at)]],
  }),
  example: {
    name: 'Ines Placeholder',
    practiceName: 'Fennmoor Family Practice',
    role: 'signatory',
    given: true,
    by: 'Theo Placeholder',
    at: '2026-11-20T15:04:00.000Z',
  },
})
