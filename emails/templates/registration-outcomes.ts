/** Mails that tell a developer how a registration ended, or what became of an enabled app. */
import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'
import {
  about,
  dueDate,
  exampleAbout,
  factsOf,
  flat,
  items,
  listItems,
  openPage,
  words,
} from './registration-fields.ts'

export const registrationEnabled = defineMail({
  props: z.object({
    ...about,
    /** Null for requests that are not about an app. */
    clientId: line.nullable(),
    directoryUrl: z.url().nullable(),
    businessDays: z.number().int().min(0).nullable(),
  }),
  links: [],
  subject: ({ appName }) => `Enabled: ${appName}`,
  letter: (props, context) => ({
    preview: 'Your app works in production.',
    heading: props.clientId ? 'Your app is enabled' : 'Your request is approved',
    happened: props.clientId
      ? `Hello ${props.name}. ${props.appName} is enabled in production. We verified it with a test authorization.`
      : `Hello ${props.name}. Your request for ${props.appName} is approved and takes effect now.`,
    means: props.clientId
      ? 'Patients and clinicians can authorize it at every practice that admits this kind of app. A backend system needs each practice’s approval.'
      : 'It is free of charge.',
    todo: props.clientId
      ? 'Set the client ID in your app. Find each practice’s base URL in the endpoint directory.'
      : 'Nothing.',
    byWhen: null,
    otherwise: 'Your sandbox app stays the same.',
    action: openPage(props, 'View request', context),
    facts: [
      ...(props.clientId ? [['Client ID', props.clientId] as [string, string]] : []),
      ...(props.directoryUrl ? [['Endpoint directory', props.directoryUrl] as [string, string]] : []),
      ...(props.businessDays === null
        ? []
        : [['Business days taken', String(props.businessDays)] as [string, string]]),
      ...factsOf(props),
    ],
  }),
  example: {
    ...exampleAbout,
    clientId: 'app-0123456789abcdef01234567',
    directoryUrl: 'https://portal.example/r4/endpoints',
    businessDays: 3,
  },
})

export const registrationRejected = defineMail({
  props: z.object({ ...about, items, text: words, appealUntil: instant }),
  links: [],
  subject: ({ appName }) => `Rejected: ${appName}`,
  letter: (props, context) => ({
    preview: 'The reason, what needs to change, and how to appeal.',
    heading: 'Your request was rejected',
    happened: `Hello ${props.name}. Two reviewers rejected the request for ${props.appName}.`,
    means: `Their reason: ${flat(props.text)}`,
    todo: 'What needs to change is listed below. If you think the decision is wrong, appeal. A different reviewer handles the appeal.',
    byWhen: context.instant(props.appealUntil),
    otherwise: 'The request stays closed. Your sandbox app keeps working, and you can submit a new request.',
    action: openPage(props, 'Read the reason or appeal', context),
    facts: [...listItems(props.items), ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    items: [
      {
        sentence: 'A redirect URI belongs to someone else.',
        text: 'Use redirect URIs that belong to you.',
      },
    ],
    text: 'The second URI belongs to another company.',
    appealUntil: '2026-12-20T17:00:00.000Z',
  },
})

export const registrationAppealed = defineMail({
  props: z.object({ ...about, promiseDueAt: dueDate }),
  links: [],
  subject: ({ appName }) => `We received your appeal: ${appName}`,
  letter: (props, context) => ({
    preview: 'A different reviewer handles it.',
    heading: 'We received your appeal',
    happened: `Hello ${props.name}. You appealed the decision on ${props.appName}.`,
    means: 'A reviewer who took no part in the first decision reviews the whole request again.',
    todo: 'Nothing for now.',
    byWhen: props.promiseDueAt && `We decide by ${context.instant(props.promiseDueAt)}`,
    otherwise: 'The appeal continues.',
    action: openPage(props, 'View request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, promiseDueAt: '2026-12-01T04:59:59.000Z' },
})

export const registrationWithdrawn = defineMail({
  props: z.object({ ...about, byName: line }),
  links: [],
  subject: ({ appName }) => `Withdrawn: ${appName}`,
  letter: (props, context) => ({
    preview: 'The review has stopped.',
    heading: 'Your request was withdrawn',
    happened: `Hello ${props.name}. ${props.byName} withdrew the request for ${props.appName}.`,
    means: 'We stopped the review. Your sandbox app keeps working.',
    todo: 'Nothing. To try again, submit a new request.',
    byWhen: null,
    otherwise: 'It stays withdrawn.',
    action: openPage(props, 'View request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, byName: 'Kim Placeholder' },
})

export const registrationSuspended = defineMail({
  props: z.object({ ...about, reason: words, at: instant }),
  links: [],
  subject: ({ appName }) => `Suspended: ${appName}`,
  letter: (props, context) => ({
    preview: 'Its requests are refused.',
    heading: 'Your app is suspended',
    happened: `Hello ${props.name}. An operator suspended ${props.appName} on ${context.instant(props.at)}.`,
    means: `Its requests are now refused. Reason: ${flat(props.reason)}`,
    todo: 'Respond through the security contact or on the request’s page.',
    byWhen: null,
    otherwise: 'It stays suspended until the cause is resolved or the app is retired.',
    action: openPage(props, 'View app', context),
    facts: factsOf(props),
  }),
  example: {
    ...exampleAbout,
    reason: 'Someone else took over the redirect URI.',
    at: '2026-11-20T17:00:00.000Z',
  },
})

export const registrationSuspendedPractice = defineMail({
  props: z.object({
    name: line,
    practiceName: line,
    appName: line,
    /** Missing in emails that an earlier release wrote. */
    organizationName: line.optional(),
    at: instant,
    requestId: line,
  }),
  links: [],
  subject: ({ appName }) => `An app you allowed is suspended: ${appName}`,
  letter: (props, { page, instant: when }) => ({
    preview: 'It can no longer read records.',
    heading: 'An app you allowed is suspended',
    happened: `Hello ${props.name}. An operator suspended the app ${props.appName} on ${when(props.at)}.`,
    means: `It can no longer read records of ${props.practiceName}. Existing authorizations are kept.`,
    todo: 'Nothing. If you don’t want it to come back, end its access on the page below.',
    byWhen: null,
    otherwise: 'When the cause is resolved, the app works as before.',
    action: { label: 'View systems', url: page('/practice/systems') },
    facts: [
      ['App', props.appName],
      ...(props.organizationName ? [['App developer', props.organizationName] as const] : []),
      ['Request ID', props.requestId],
    ],
  }),
  example: {
    name: 'Avery Sample',
    practiceName: 'Old Quay Family Practice',
    appName: exampleAbout.appName,
    organizationName: 'Samplewood Health Apps',
    at: '2026-11-20T17:00:00.000Z',
    requestId: exampleAbout.requestId,
  },
})

export const registrationReinstated = defineMail({
  props: z.object({ ...about, reason: words }),
  links: [],
  subject: ({ appName }) => `Active again: ${appName}`,
  letter: (props, context) => ({
    preview: 'The suspension has ended.',
    heading: 'Your app is active again',
    happened: `Hello ${props.name}. An operator ended the suspension of ${props.appName}.`,
    means: `It works as before. Their note: ${flat(props.reason)}`,
    todo: 'Nothing. If tokens expired in the meantime, request new ones.',
    byWhen: null,
    otherwise: 'Nothing changes.',
    action: openPage(props, 'View app', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, reason: 'The redirect URI is yours again.' },
})

export const registrationRetired = defineMail({
  props: z.object({ ...about, reason: words }),
  links: [],
  subject: ({ appName }) => `Retired: ${appName}`,
  letter: (props, context) => ({
    preview: 'The app no longer works.',
    heading: 'Your app is retired',
    happened: `Hello ${props.name}. An operator retired ${props.appName}.`,
    means: `It no longer works, and this is permanent. Reason: ${flat(props.reason)}`,
    todo: 'To try again, submit a new registration.',
    byWhen: null,
    otherwise: 'It stays retired.',
    action: openPage(props, 'View app', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, reason: 'The organization requested it.' },
})
