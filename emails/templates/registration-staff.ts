/** Mails to reviewers and operations about registrations. */
import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'
import { exampleAbout } from './registration-fields.ts'

const clockName = line

export const reviewEscalation = defineMail({
  props: z.object({
    name: line,
    appName: line,
    /** Missing in emails that an earlier release wrote. */
    organizationName: line.optional(),
    clockName,
    /** What waits: each has its own page and its own promise. */
    about: z.enum(['registration', 'production_key']).default('registration'),
    percent: z.union([z.literal(60), z.literal(80), z.literal(100)]),
    dueAt: instant,
    holder: line.nullable(),
    requestId: line,
  }),
  links: [],
  codes: ['about'],
  subject: ({ appName, percent }) =>
    percent === 100 ? `Overdue: ${appName}` : `${percent} percent used: ${appName}`,
  letter: (props, { page, instant: when }) => ({
    preview: props.percent === 100 ? 'The date we promised has passed.' : 'The clock runs.',
    heading: props.percent === 100 ? 'A request is overdue' : 'A request needs a decision',
    happened:
      props.percent === 100
        ? `Hello ${props.name}. ${props.appName} was due on ${when(props.dueAt)} and is not decided.`
        : `Hello ${props.name}. ${props.appName} has used ${props.percent} percent of its business days.`,
    means:
      props.percent === 100
        ? props.about === 'registration'
          ? 'The public page counts it as a breach.'
          : 'The developers and the practice have signed everything, and wait for us alone.'
        : props.holder
          ? `${props.holder} has claimed it.`
          : 'Nobody has claimed it.',
    todo: 'Decide on the evidence at hand, or claim it if whoever has it cannot.',
    byWhen: when(props.dueAt),
    otherwise:
      props.percent === 100 ? 'It stays overdue.' : 'The other reviewers and then operations are told.',
    action: {
      label: 'Open the request',
      url: page(
        props.about === 'registration'
          ? `/staff/registrations/${props.requestId}`
          : `/staff/production-keys/${props.requestId}`,
      ),
    },
    facts: [
      ...(props.organizationName
        ? [[props.about === 'registration' ? 'App by' : 'Key requested by', props.organizationName] as const]
        : []),
      ['Clock', props.clockName],
      ['Request id', props.requestId],
    ],
  }),
  example: {
    name: 'Rae Placeholder',
    appName: exampleAbout.appName,
    organizationName: 'Samplewood Health Apps',
    clockName: 'Enabled within five business days',
    about: 'registration',
    percent: 60,
    dueAt: '2026-12-01T04:59:59.000Z',
    holder: null,
    requestId: exampleAbout.requestId,
  },
})

export const reviewDigest = defineMail({
  props: z.object({
    name: line,
    waiting: z.number().int().min(0),
    /** Of what waits. */
    productionKeys: z.number().int().min(0).default(0),
    unclaimed: z.number().int().min(0),
    overdue: z.number().int().min(0),
    first: z
      .array(
        z.object({
          appName: line,
          /** Missing in emails that an earlier release wrote. */
          organizationName: line.optional(),
          isProductionKey: z.boolean().default(false),
          dueAt: instant,
        }),
      )
      .max(10),
    requestId: line,
  }),
  links: [],
  subject: ({ waiting, overdue }) =>
    `Queue today: ${waiting} waiting${overdue > 0 ? `, ${overdue} overdue` : ''}`,
  letter: (props, { page, instant: when }) => ({
    preview: 'What waits, by due date.',
    heading: 'The queue today',
    happened: `Hello ${props.name}. Requests that wait: ${props.waiting}${props.productionKeys > 0 ? `, of them for production keys: ${props.productionKeys}` : ''}. Not claimed: ${props.unclaimed}. Overdue: ${props.overdue}.`,
    means: 'The first due are listed below.',
    todo: 'Claim what nobody has, the first due first.',
    byWhen: props.first[0] ? when(props.first[0].dueAt) : null,
    otherwise: 'The clocks run, and tell you again at 60 and 80 percent.',
    action: {
      label: 'Open the queue',
      url: page(props.productionKeys === props.waiting ? '/staff/production-keys' : '/staff/registrations'),
    },
    facts: [
      ...props.first.map(
        ({ appName, organizationName, isProductionKey, dueAt }) =>
          [
            `${isProductionKey ? 'Production key ' : ''}${appName}${organizationName ? ` by ${organizationName}` : ''}`,
            when(dueAt),
          ] as const,
      ),
      ['Digest of', props.requestId] as const,
    ],
  }),
  example: {
    name: 'Rae Placeholder',
    waiting: 3,
    productionKeys: 0,
    unclaimed: 1,
    overdue: 0,
    first: [
      {
        appName: exampleAbout.appName,
        organizationName: 'Samplewood Health Apps',
        dueAt: '2026-12-01T04:59:59.000Z',
      },
    ],
    requestId: '2026-11-20',
  },
})

export const registrationProbeFailed = defineMail({
  props: z.object({
    name: line,
    appName: line,
    /** Missing in emails that an earlier release wrote. */
    organizationName: line.optional(),
    reason: line,
    attempts: z.number().int(),
    requestId: line,
  }),
  links: [],
  subject: ({ appName }) => `Could not be enabled: ${appName}`,
  letter: (props, { page }) => ({
    preview: 'Approved, and the authorization server does not accept it.',
    heading: 'An approved app is not accepted',
    happened: `Hello ${props.name}. ${props.appName} is approved. The authorization server was asked ${props.attempts} times and did not accept it.`,
    means: `The developer waits and the clock runs. The last answer: ${props.reason}`,
    todo: 'Find the cause, then probe again from the page of the request.',
    byWhen: null,
    otherwise: 'The app stays approved and not enabled.',
    action: { label: 'Open the request', url: page(`/staff/registrations/${props.requestId}`) },
    facts: [
      ...(props.organizationName ? [['App by', props.organizationName] as const] : []),
      ['Request id', props.requestId],
    ],
  }),
  example: {
    name: 'Olu Placeholder',
    appName: exampleAbout.appName,
    organizationName: 'Samplewood Health Apps',
    reason: 'There is no canary practice.',
    attempts: 5,
    requestId: exampleAbout.requestId,
  },
})
