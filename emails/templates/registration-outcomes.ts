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
    preview: 'It works. We tried.',
    heading: props.clientId ? 'Your app is enabled' : 'Your request is granted',
    happened: props.clientId
      ? `Hello ${props.name}. ${props.appName} is enabled in production. We asked the authorization server as your app would, and it said yes.`
      : `Hello ${props.name}. What you asked for ${props.appName} is granted and holds from now on.`,
    means: props.clientId
      ? 'Patients and clinicians can allow it at every practice that lets apps of its kind in. A backend system asks each practice.'
      : 'There is no fee, now or later.',
    todo: props.clientId
      ? 'Put the client id into your app. Find each practice’s base in the endpoint directory.'
      : 'Nothing.',
    byWhen: null,
    otherwise: 'Nothing changes for the sandbox.',
    action: openPage(props, 'See the request', context),
    facts: [
      ...(props.clientId ? [['Client id', props.clientId] as [string, string]] : []),
      ...(props.directoryUrl ? [['Endpoint directory', props.directoryUrl] as [string, string]] : []),
      ...(props.businessDays === null
        ? []
        : [['Business days it took', String(props.businessDays)] as [string, string]]),
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
  subject: ({ appName }) => `Not enabled, and why: ${appName}`,
  letter: (props, context) => ({
    preview: 'The reason, what would change it, and how to appeal.',
    heading: 'Your request was turned down',
    happened: `Hello ${props.name}. Two reviewers turned down the request for ${props.appName}.`,
    means: `They say: ${flat(props.text)}`,
    todo: 'Below is what would change it. If you think we are wrong, appeal: another reviewer looks at it.',
    byWhen: context.instant(props.appealUntil),
    otherwise: 'The request stays closed. The sandbox goes on working, and you can make a new request.',
    action: openPage(props, 'See the reason or appeal', context),
    facts: [...listItems(props.items), ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    items: [
      {
        sentence: 'A redirect address leads to somebody else.',
        text: 'Addresses of your own would change this.',
      },
    ],
    text: 'The second address belongs to another company.',
    appealUntil: '2026-12-20T17:00:00.000Z',
  },
})

export const registrationAppealed = defineMail({
  props: z.object({ ...about, promiseDueAt: dueDate }),
  links: [],
  subject: ({ appName }) => `We have your appeal: ${appName}`,
  letter: (props, context) => ({
    preview: 'Another reviewer looks at it.',
    heading: 'We have your appeal',
    happened: `Hello ${props.name}. You appealed for ${props.appName}.`,
    means: 'A reviewer who had no part in the first decision looks at all of it again.',
    todo: 'Nothing for now.',
    byWhen: props.promiseDueAt && `We decide by ${context.instant(props.promiseDueAt)}`,
    otherwise: 'The appeal goes on by itself.',
    action: openPage(props, 'See the request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, promiseDueAt: '2026-12-01T04:59:59.000Z' },
})

export const registrationWithdrawn = defineMail({
  props: z.object({ ...about, byName: line }),
  links: [],
  subject: ({ appName }) => `Withdrawn: ${appName}`,
  letter: (props, context) => ({
    preview: 'Nobody looks at it any more.',
    heading: 'The request is withdrawn',
    happened: `Hello ${props.name}. ${props.byName} withdrew the request for ${props.appName}.`,
    means: 'Nobody looks at it any more. A sandbox app goes on working.',
    todo: 'Nothing. For another try, make a new request.',
    byWhen: null,
    otherwise: 'It stays withdrawn.',
    action: openPage(props, 'See the request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, byName: 'Kim Placeholder' },
})

export const registrationSuspended = defineMail({
  props: z.object({ ...about, reason: words, at: instant }),
  links: [],
  subject: ({ appName }) => `Suspended: ${appName}`,
  letter: (props, context) => ({
    preview: 'The app is not served from now on.',
    heading: 'Your app is suspended',
    happened: `Hello ${props.name}. Operations suspended ${props.appName} on ${context.instant(props.at)}.`,
    means: `Its requests are refused from now on. The reason: ${flat(props.reason)}`,
    todo: 'Answer this by way of the security contact, or on the page of the request.',
    byWhen: null,
    otherwise: 'It stays suspended until the cause is cleared, or is retired.',
    action: openPage(props, 'See the app', context),
    facts: factsOf(props),
  }),
  example: {
    ...exampleAbout,
    reason: 'The redirect address was taken over.',
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
  subject: ({ appName }) => `An app you let in is suspended: ${appName}`,
  letter: (props, { page, instant: when }) => ({
    preview: 'It gets no records from now on.',
    heading: 'An app you let in is suspended',
    happened: `Hello ${props.name}. Operations suspended the app ${props.appName} on ${when(props.at)}.`,
    means: `It gets no records of ${props.practiceName} from now on. What people allowed is kept.`,
    todo: 'Nothing. If you do not want it back, end its access on the page of your systems and apps.',
    byWhen: null,
    otherwise: 'If the cause is cleared, the app works again as before.',
    action: { label: 'See systems', url: page('/practice/systems') },
    facts: [
      ['App', props.appName],
      ...(props.organizationName ? [['App by', props.organizationName] as const] : []),
      ['Request id', props.requestId],
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
  subject: ({ appName }) => `Works again: ${appName}`,
  letter: (props, context) => ({
    preview: 'The suspension is over.',
    heading: 'Your app works again',
    happened: `Hello ${props.name}. Operations ended the suspension of ${props.appName}.`,
    means: `It is served as before. They say: ${flat(props.reason)}`,
    todo: 'Nothing. Tokens that ended meanwhile are asked for anew.',
    byWhen: null,
    otherwise: 'Nothing changes.',
    action: openPage(props, 'See the app', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, reason: 'The address is yours again.' },
})

export const registrationRetired = defineMail({
  props: z.object({ ...about, reason: words }),
  links: [],
  subject: ({ appName }) => `Retired: ${appName}`,
  letter: (props, context) => ({
    preview: 'The app has ended.',
    heading: 'Your app is retired',
    happened: `Hello ${props.name}. Operations retired ${props.appName}.`,
    means: `It is not served any more, for good. The reason: ${flat(props.reason)}`,
    todo: 'For another try, make a new registration.',
    byWhen: null,
    otherwise: 'It stays retired.',
    action: openPage(props, 'See the app', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, reason: 'The organization asked for it.' },
})
