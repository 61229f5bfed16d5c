import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

const words = {
  practice_suspended: {
    subject: (about: string) => `${about} is suspended`,
    happened: 'Our operations suspended your practice.',
    means: 'No key and no app reaches its records until that is over; exports that ran were cancelled.',
    page: '/practice',
  },
  practice_resumed: {
    subject: (about: string) => `${about} works again`,
    happened: 'Our operations ended the suspension of your practice.',
    means: 'Keys and apps reach its records again, unless something else is in the way of one of them.',
    page: '/practice',
  },
  fhir_changed: {
    subject: (about: string) => `FHIR access of ${about} was changed`,
    happened: 'Our operations changed which apps and which types of records your practice lets in and out.',
    means: 'It holds from the next request on. You may change it again yourself.',
    page: '/practice/fhir',
  },
  key_suspended: {
    subject: (about: string) => `The key “${about}” is suspended`,
    happened: 'Our operations suspended your key.',
    means: 'Calls with it get 401 until that is over. Nothing about your code is wrong.',
    page: '/developers/keys',
  },
  key_resumed: {
    subject: (about: string) => `The key “${about}” works again`,
    happened: 'Our operations ended the suspension of your key.',
    means: 'Calls with it are answered again.',
    page: '/developers/keys',
  },
  client_suspended: {
    subject: (about: string) => `The app ${about} is suspended`,
    happened: 'Our operations suspended your app.',
    means: 'It gets no token, and its tokens are refused, until that is over.',
    page: '/developers',
  },
  client_resumed: {
    subject: (about: string) => `The app ${about} works again`,
    happened: 'Our operations ended the suspension of your app.',
    means: 'It may ask for tokens again.',
    page: '/developers',
  },
  client_removed: {
    subject: (about: string) => `The app ${about} was removed`,
    happened: 'Our operations removed your app.',
    means: 'Its client id is unknown from now on, and its tokens are refused.',
    page: '/developers',
  },
} as const

export const operationsNotice = defineMail({
  props: z.object({
    name: line,
    what: z.enum(Object.keys(words) as [keyof typeof words, ...(keyof typeof words)[]]),
    /** Name of the practice, key or app. */
    about: line,
    /** In the words of whoever did it, as one line. */
    reason: z
      .string()
      .min(1)
      .max(500)
      .regex(/^\P{Cc}*$/u),
    at: instant,
  }),
  links: [],
  subject: ({ what, about }) => words[what].subject(about),
  letter: ({ name, what, about, reason, at }, { page, instant }) => ({
    preview: reason,
    heading: words[what].subject(about),
    happened: `Hello ${name}. ${words[what].happened}`,
    means: words[what].means,
    todo: 'Read the reason. If it is not right, or you need more time, answer this mail.',
    byWhen: null,
    otherwise: 'It stays as it is now.',
    action: { label: 'Go to the portal', url: page(words[what].page) },
    facts: [
      ['When', instant(at)],
      ['Reason', reason],
    ],
  }),
  example: {
    name: 'Odell Placeholder',
    what: 'practice_suspended',
    about: 'Samplewood Family Practice',
    reason: 'The practice asked for it by telephone while its credentials are changed.',
    at: '2026-11-20T15:04:00.000Z',
  },
})
