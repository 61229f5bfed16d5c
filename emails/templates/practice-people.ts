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
    preview: 'You are asked to work in the practice’s console.',
    heading: 'You are invited',
    happened: `${invitedBy} invited you to the console of ${practiceName}, as ${words[role]}.`,
    means: 'The console shows which programs reach the practice’s records, and lets people stop them.',
    todo: 'Open the link and choose a password, or sign in if you have one.',
    byWhen: at(expiresAt),
    otherwise: 'The link stops working. Whoever invited you can send a new one.',
    action: { label: 'Accept', url: links.acceptUrl },
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
  subject: ({ practiceName }) => `Your role at ${practiceName}`,
  letter: ({ name, practiceName, role, given, by, at }, { page, instant: moment }) => ({
    preview: given ? 'You were given a role.' : 'A role was taken away.',
    heading: 'Your role has changed',
    happened: `Hello ${name}. ${by} ${given ? 'made you' : 'took away that you are'} ${words[role]} of ${practiceName}.`,
    means: 'What you can do in the console follows from your roles.',
    todo: 'If this surprises you, ask an admin of the practice.',
    byWhen: null,
    otherwise: 'The change stays.',
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
