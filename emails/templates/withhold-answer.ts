import { z } from 'zod'
import { instant, line, reasonLine } from '../fields.ts'
import { defineMail } from '../letter.ts'

const words = {
  withheld: {
    subject: 'no further access',
    heading: 'No app or key reads your records any more',
    happened: 'agreed to your request: no key, app or system reads the records any more.',
    means: 'This includes apps that you allowed. They keep the records that they read before.',
    todo: 'Nothing.',
    otherwise: 'The records stay withheld until your practice ends it.',
  },
  declined: {
    subject: 'your request was declined',
    heading: 'Your request was declined',
    happened: 'declined your request for no further access by keys and apps.',
    means: 'Keys and apps can read the records as before.',
    todo: 'Read the reason. You can talk to your practice, and ask again.',
    otherwise: 'Access stays as it is.',
  },
  ended: {
    subject: 'keys and apps can read again',
    heading: 'Keys and apps can read your records again',
    happened: 'no longer withholds the records that you asked it to withhold.',
    means: 'Keys, and apps that you allowed and did not stop, can read the records again.',
    todo: 'If you did not expect this, talk to your practice. You can ask again.',
    otherwise: 'Access stays open.',
  },
} as const

export const withholdAnswer = defineMail({
  props: z.object({
    name: line,
    practiceName: line,
    outcome: z.enum(['withheld', 'declined', 'ended']),
    /** As the practice wrote it. */
    reason: reasonLine.nullable(),
    at: instant,
  }),
  links: [],
  subject: ({ outcome, practiceName }) => `${practiceName}: ${words[outcome].subject}`,
  letter: ({ name, practiceName, outcome, reason, at }, { page, instant: when }) => {
    const { heading, happened, means, todo, otherwise } = words[outcome]
    return {
      preview: means,
      heading,
      happened: `Hello ${name}. ${practiceName} ${happened}`,
      means,
      todo,
      byWhen: null,
      otherwise,
      action: { label: 'See who read your records', url: page('/patient/access') },
      facts: [['Decided', when(at)], ...(reason === null ? [] : [['Reason', reason] as const])],
    }
  },
  example: {
    name: 'Wren Testwell',
    practiceName: 'Old Quay Family Practice',
    outcome: 'declined',
    reason: 'Your referral to the heart clinic needs the app until Friday. Please call us.',
    at: '2026-11-20T15:04:00.000Z',
  },
})
