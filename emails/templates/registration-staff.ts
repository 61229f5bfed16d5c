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
    percent === 100 ? `Overdue: ${appName}` : `${percent}% of time used: ${appName}`,
  letter: (props, { page, instant: when }) => ({
    preview: props.percent === 100 ? 'The date we promised has passed.' : 'Time is running out.',
    heading: props.percent === 100 ? 'A request is overdue' : 'A request needs a decision',
    happened:
      props.percent === 100
        ? `Hello ${props.name}. ${props.appName} was due on ${when(props.dueAt)} and has no decision.`
        : `Hello ${props.name}. ${props.appName} has used ${props.percent}% of its business days.`,
    means:
      props.percent === 100
        ? props.about === 'registration'
          ? 'The public statistics count it as missed.'
          : 'The developer and the practice have signed everything. Only our decision is missing.'
        : props.holder
          ? `${props.holder} claimed it.`
          : 'It is unclaimed.',
    todo: 'Decide on the evidence at hand, or claim the request if its reviewer is not available.',
    byWhen: when(props.dueAt),
    otherwise:
      props.percent === 100 ? 'It stays overdue.' : 'We notify the other reviewers, then operations.',
    action: {
      label: 'Open request',
      url: page(
        props.about === 'registration'
          ? `/staff/registrations/${props.requestId}`
          : `/staff/production-keys/${props.requestId}`,
      ),
    },
    facts: [
      ...(props.organizationName
        ? [
            [
              props.about === 'registration' ? 'App developer' : 'Key requested by',
              props.organizationName,
            ] as const,
          ]
        : []),
      ['Clock', props.clockName],
      ['Request ID', props.requestId],
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
    `Queue today: ${waiting} open${overdue > 0 ? `, ${overdue} overdue` : ''}`,
  letter: (props, { page, instant: when }) => ({
    preview: 'Open requests by due date.',
    heading: 'The queue today',
    happened: `Hello ${props.name}. Open requests: ${props.waiting}${props.productionKeys > 0 ? `, including production keys: ${props.productionKeys}` : ''}. Unclaimed: ${props.unclaimed}. Overdue: ${props.overdue}.`,
    means: 'The requests due first are listed below.',
    todo: 'Claim unclaimed requests, earliest due date first.',
    byWhen: props.first[0] ? when(props.first[0].dueAt) : null,
    otherwise: 'You get another email when a request has used 60% and 80% of its time.',
    action: {
      label: 'Open queue',
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
      ['Digest for', props.requestId] as const,
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
    preview: 'The authorization server rejects an approved app.',
    heading: 'The authorization server rejects an approved app',
    happened: `Hello ${props.name}. ${props.appName} is approved. The authorization server rejected it ${props.attempts} times.`,
    means: `The developer is waiting, and the clock is running. Last response: ${props.reason}`,
    todo: 'Find the cause, then retry from the request’s page.',
    byWhen: null,
    otherwise: 'The app stays approved but not enabled.',
    action: { label: 'Open request', url: page(`/staff/registrations/${props.requestId}`) },
    facts: [
      ...(props.organizationName ? [['App developer', props.organizationName] as const] : []),
      ['Request ID', props.requestId],
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
