/** Mails that tell a developer where a registration stands while it is ours to act. */
import { z } from 'zod'
import { defineMail } from '../letter.ts'
import { about, dueDate, exampleAbout, factsOf, items, listItems, openPage } from './registration-fields.ts'

const checks = 'The checks are the same for everyone, and they are published.'

export const registrationReceived = defineMail({
  props: z.object({ ...about, promiseDueAt: dueDate, ruleDueAt: dueDate }),
  links: [],
  subject: ({ appName }) => `We received your request: ${appName}`,
  letter: (props, context) => ({
    preview: 'Both due dates are inside.',
    heading: 'We received your request',
    happened: `Hello ${props.name}. Your request for ${props.appName} is complete and in our queue.`,
    means: `A reviewer handles it. ${checks}`,
    todo: 'Nothing for now. We email you when we decide or if something is missing.',
    byWhen: props.promiseDueAt && `We decide by ${context.instant(props.promiseDueAt)}`,
    otherwise: 'The review continues.',
    action: openPage(props, 'View request', context),
    facts: [
      ...factsOf(props),
      ...(props.ruleDueAt
        ? [['Identity decision due', context.instant(props.ruleDueAt)] as [string, string]]
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
  subject: ({ appName }) => `Your request is incomplete: ${appName}`,
  letter: (props, context) => ({
    preview: 'A list of what is missing.',
    heading: 'Your request is incomplete',
    happened: `Hello ${props.name}. Your request for ${props.appName} has missing or incorrect items.`,
    means: 'We recorded the date of receipt. Our five business days start when the request is complete.',
    todo: 'Fix the items listed below and submit the request again.',
    byWhen: null,
    otherwise: 'After 30 days without activity the request is withdrawn. You can reopen it for a year.',
    action: openPage(props, 'Complete request', context),
    facts: [...listItems(props.items), ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    items: [{ sentence: 'Redirect URIs', text: 'This URI has a fragment. Remove it.' }],
    ruleDueAt: '2026-12-08T04:59:59.000Z',
  },
})

export const registrationAuthenticity = defineMail({
  props: z.object({ ...about, ruleDueAt: dueDate }),
  links: [],
  subject: ({ appName }) => `Organization verified: ${appName}`,
  letter: (props, context) => ({
    preview: 'The first of two decisions.',
    heading: 'Your organization is verified',
    happened: `Hello ${props.name}. A reviewer verified your organization for ${props.appName}.`,
    means: 'This is the first of two decisions. The second is about the app’s configuration.',
    todo: 'Nothing, unless the request’s page lists questions for you.',
    byWhen: props.ruleDueAt && `If the app is complete, we enable it by ${context.instant(props.ruleDueAt)}`,
    otherwise: 'The review continues.',
    action: openPage(props, 'View request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, ruleDueAt: '2026-12-08T04:59:59.000Z' },
})

export const registrationResubmitted = defineMail({
  props: z.object({ ...about, promiseDueAt: dueDate }),
  links: [],
  subject: ({ appName }) => `We received your answers: ${appName}`,
  letter: (props, context) => ({
    preview: 'The review continues.',
    heading: 'We received your answers',
    happened: `Hello ${props.name}. You answered every question about ${props.appName}.`,
    means: 'Our review clock is running again, with the days that were left.',
    todo: 'Nothing for now. We email you when we decide.',
    byWhen: props.promiseDueAt && `We decide by ${context.instant(props.promiseDueAt)}`,
    otherwise: 'The review continues.',
    action: openPage(props, 'View request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, promiseDueAt: '2026-12-01T04:59:59.000Z' },
})

export const registrationChanged = defineMail({
  props: z.object({ ...about, fields: z.string().min(1).max(400) }),
  links: [],
  subject: ({ appName }) => `Your app was changed: ${appName}`,
  letter: (props, context) => ({
    preview: 'Public details of your app changed.',
    heading: 'Your app was changed',
    happened: `Hello ${props.name}. A member of your organization changed ${props.appName}: ${props.fields}.`,
    means: 'The change is live. URIs, keys and scopes are unchanged.',
    todo: 'If this was a mistake, change it back and check who belongs to your organization.',
    byWhen: null,
    otherwise: 'The change stays in place.',
    action: openPage(props, 'View app', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, fields: 'Description, Website' },
})
