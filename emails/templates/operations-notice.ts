import { z } from 'zod'
import { instant, line, reasonLine } from '../fields.ts'
import { defineMail } from '../letter.ts'

const words = {
  practice_suspended: {
    subject: (about: string) => `${about} is suspended`,
    happened: 'An operator suspended your practice.',
    means: 'Keys and apps can’t reach its records until the suspension ends. Running exports were canceled.',
    page: '/practice',
  },
  practice_resumed: {
    subject: (about: string) => `${about} is active again`,
    happened: 'An operator ended the suspension of your practice.',
    means: 'Keys and apps can reach its records again, unless another restriction applies to them.',
    page: '/practice',
  },
  fhir_changed: {
    subject: (about: string) => `FHIR access settings of ${about} changed`,
    happened: 'An operator changed which apps may reach your practice and which record types they can read.',
    means: 'The change applies from the next request. You can change it again yourself.',
    page: '/practice/fhir',
  },
  key_suspended: {
    subject: (about: string) => `The key “${about}” is suspended`,
    happened: 'An operator suspended your key.',
    means: 'Calls with it get a 401 response until the suspension ends. Your code is not the cause.',
    page: '/developers/keys',
  },
  key_resumed: {
    subject: (about: string) => `The key “${about}” is active again`,
    happened: 'An operator ended the suspension of your key.',
    means: 'Calls with it work again.',
    page: '/developers/keys',
  },
  client_suspended: {
    subject: (about: string) => `The app ${about} is suspended`,
    happened: 'An operator suspended your app.',
    means: 'It can’t get tokens, and its existing tokens are refused, until the suspension ends.',
    page: '/developers',
  },
  client_resumed: {
    subject: (about: string) => `The app ${about} is active again`,
    happened: 'An operator ended the suspension of your app.',
    means: 'It can request tokens again.',
    page: '/developers',
  },
  client_removed: {
    subject: (about: string) => `The app ${about} was removed`,
    happened: 'An operator removed your app.',
    means: 'Its client ID is no longer valid, and its tokens are refused.',
    page: '/developers',
  },
} as const

export const operationsNotice = defineMail({
  props: z.object({
    name: line,
    what: z.enum(Object.keys(words) as [keyof typeof words, ...(keyof typeof words)[]]),
    /** Name of the practice, key or app. */
    about: line,
    /** As the person who did it wrote it. */
    reason: reasonLine,
    at: instant,
  }),
  links: [],
  subject: ({ what, about }) => words[what].subject(about),
  letter: ({ name, what, about, reason, at }, { page, instant }) => ({
    preview: reason,
    heading: words[what].subject(about),
    happened: `Hello ${name}. ${words[what].happened}`,
    means: words[what].means,
    todo: 'Read the reason. If it isn’t right, or you need more time, reply to this email.',
    byWhen: null,
    otherwise: 'It stays in effect.',
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
    reason: 'The practice requested it by telephone while its credentials are changed.',
    at: '2026-11-20T15:04:00.000Z',
  },
})
