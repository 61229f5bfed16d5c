/** People of a practice: invited, given another role, removed. */
import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

const practiceRole = z.enum(['admin', 'signatory', 'clinician'])
const words = { admin: 'an admin', signatory: 'a signatory', clinician: 'a clinician' } as const
/** What the role lets people do in the console. */
const meansOf = {
  admin:
    'There you see which companies’ software can read your patients’ records. You decide on requests, and you can stop access at any time.',
  signatory:
    'There you sign agreements for the practice, and you see which companies’ software can read your patients’ records.',
  clinician:
    'With this account you sign in to apps that you open from a chart, and you see the apps you allowed.',
} as const

export const practiceInvitation = defineMail({
  props: z.object({ practiceName: line, invitedBy: line, role: practiceRole, expiresAt: instant }),
  links: ['acceptUrl'],
  subject: ({ practiceName }) => `Invitation to ${practiceName}`,
  letter: ({ practiceName, invitedBy, role, expiresAt }, { links, instant: at }) => ({
    preview: 'You are invited to the practice console.',
    heading: `Join ${practiceName} on Sandpiper`,
    happened: `${invitedBy} invited you to the practice console of ${practiceName} on Sandpiper, as ${words[role]}.`,
    means: meansOf[role],
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
    happened: `Hello ${name}. ${by} ${given ? 'made you' : 'removed your role as'} ${words[role]} of ${practiceName}.`,
    means: 'Your roles decide what you can do in the practice console.',
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
