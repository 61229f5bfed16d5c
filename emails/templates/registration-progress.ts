/** Mails that tell a developer where a registration stands while it is ours to act. */
import { z } from 'zod'
import { defineMail } from '../letter.ts'
import { about, dueDate, exampleAbout, factsOf, items, listItems, openPage } from './registration-fields.ts'

const checks = 'Everybody gets the same checks. They are published, and nothing else is asked.'

export const registrationReceived = defineMail({
  props: z.object({ ...about, promiseDueAt: dueDate, ruleDueAt: dueDate }),
  links: [],
  subject: ({ appName }) => `We have your request: ${appName}`,
  letter: (props, context) => ({
    preview: 'Our turn. Both due dates are inside.',
    heading: 'We have your request',
    happened: `Hello ${props.name}. Your request for ${props.appName} is complete and in our queue.`,
    means: `A reviewer looks at it. ${checks}`,
    todo: 'Nothing for now. We write to you when it is decided, or when something is missing.',
    byWhen: props.promiseDueAt && `We decide by ${context.instant(props.promiseDueAt)}`,
    otherwise: 'The request goes on by itself.',
    action: openPage(props, 'See the request', context),
    facts: [
      ...factsOf(props),
      ...(props.ruleDueAt
        ? [['Identity is decided by', context.instant(props.ruleDueAt)] as [string, string]]
        : []),
    ],
  }),
  example: {
    ...exampleAbout,
    promiseDueAt: '2026-12-01T04:59:59.000Z',
    ruleDueAt: '2026-12-08T04:59:59.000Z',
  },
})

export const registrationIncomplete = defineMail({
  props: z.object({ ...about, items, ruleDueAt: dueDate }),
  links: [],
  subject: ({ appName }) => `Your request is not complete yet: ${appName}`,
  letter: (props, context) => ({
    preview: 'What is missing, item by item.',
    heading: 'Your request is not complete yet',
    happened: `Hello ${props.name}. You sent the request for ${props.appName}, and some of it is missing.`,
    means: 'We have noted the day of receipt. Our five business days begin when it is complete.',
    todo: 'Put right what is listed below and submit it again.',
    byWhen: null,
    otherwise: 'After 30 silent days the request is withdrawn. It can be opened again for a year.',
    action: openPage(props, 'Complete the request', context),
    facts: [...listItems(props.items), ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    items: [{ sentence: 'Redirect URIs', text: 'This address has a fragment. Take it out.' }],
    ruleDueAt: '2026-12-08T04:59:59.000Z',
  },
})

export const registrationAuthenticity = defineMail({
  props: z.object({ ...about, ruleDueAt: dueDate }),
  links: [],
  subject: ({ appName }) => `We know who you are: ${appName}`,
  letter: (props, context) => ({
    preview: 'One of two decisions is made.',
    heading: 'Your organization is verified',
    happened: `Hello ${props.name}. For ${props.appName} a reviewer verified who is asking.`,
    means: 'That is one of two decisions. The other is about the configuration of the app.',
    todo: 'Nothing, unless something is asked of you on the page of the request.',
    byWhen: props.ruleDueAt && `A complete app is enabled by ${context.instant(props.ruleDueAt)}`,
    otherwise: 'The request goes on by itself.',
    action: openPage(props, 'See the request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, ruleDueAt: '2026-12-08T04:59:59.000Z' },
})

export const registrationResubmitted = defineMail({
  props: z.object({ ...about, promiseDueAt: dueDate }),
  links: [],
  subject: ({ appName }) => `We have your answers: ${appName}`,
  letter: (props, context) => ({
    preview: 'Our turn again.',
    heading: 'We have your answers',
    happened: `Hello ${props.name}. Every item of ${props.appName} is answered.`,
    means: 'The clock of our promise runs again, with the days that were left.',
    todo: 'Nothing for now. We write to you when it is decided.',
    byWhen: props.promiseDueAt && `We decide by ${context.instant(props.promiseDueAt)}`,
    otherwise: 'The request goes on by itself.',
    action: openPage(props, 'See the request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, promiseDueAt: '2026-12-01T04:59:59.000Z' },
})

export const registrationChanged = defineMail({
  props: z.object({ ...about, fields: z.string().min(1).max(400) }),
  links: [],
  subject: ({ appName }) => `Your app was changed: ${appName}`,
  letter: (props, context) => ({
    preview: 'What people read about your app has changed.',
    heading: 'Your app was changed',
    happened: `Hello ${props.name}. Somebody of your organization changed ${props.appName}: ${props.fields}.`,
    means: 'The change holds at once. Addresses, keys and scopes are as they were.',
    todo: 'If this was not meant to happen, change it back and look at who belongs to your organization.',
    byWhen: null,
    otherwise: 'The change stays.',
    action: openPage(props, 'See the app', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, fields: 'Description, Website' },
})
