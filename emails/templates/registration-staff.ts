/** Emails to reviewers, operations and practices about registrations. */
import { z } from 'zod'
import { emailsAbout } from '../emails-about.ts'
import { count, defineMail, exampleId, instant, line } from '../letter.ts'

const exampleApp = 'Tidepath Health'
const exampleOrganization = 'Samplewood Health Apps'
/** Missing in emails that an earlier release wrote. */
const organizationName = [line.optional(), exampleOrganization] as const

const { email } = emailsAbout({ name: [line, 'Avery Sample'], appName: [line, exampleApp], organizationName })

export const registrationStaffEmails = {
  'registration-suspended-practice': email(
    {
      practiceName: [line, 'Old Quay Family Practice'],
      at: [instant, '2026-11-20T17:00:00.000Z'],
      requestId: [line, exampleId],
    },
    ({ practiceName, appName, organizationName, at, requestId }) => ({
      subject: `An app you allowed is stopped: ${appName}`,
      heading: 'An app you allowed is stopped',
      happened: `An operator stopped the app ${appName} on ${at}.`,
      means: `It can no longer read records of ${practiceName}. Existing authorizations are kept.`,
      todo: 'Nothing. If you don’t want it to come back, end its access on the page below.',
      otherwise: 'When the cause is resolved, the app works as before.',
      button: 'View systems',
      page: '/practice/systems',
      facts: [
        ['App', appName],
        ['App developer', organizationName ?? null],
        ['Request ID', requestId],
      ],
    }),
  ),
  'registration-probe-failed': email(
    {
      name: [line, 'Olu Placeholder'],
      reason: [line, 'There is no canary practice.'],
      attempts: [z.number().int(), 5],
      requestId: [line, exampleId],
    },
    ({ appName, organizationName, reason, attempts, requestId }) => ({
      subject: `Could not be enabled: ${appName}`,
      heading: 'The authorization server rejects an approved app',
      happened: `${appName} is approved. The authorization server rejected it ${attempts} times.`,
      means: `The developer is waiting, and the clock is running. Last response: ${reason}`,
      todo: 'Find the cause, then retry from the request’s page.',
      otherwise: 'The app stays approved but not enabled.',
      button: 'Open request',
      page: `/staff/registrations/${requestId}`,
      facts: [
        ['App developer', organizationName ?? null],
        ['Request ID', requestId],
      ],
    }),
  ),
  'review-escalation': defineMail({
    props: z.object({
      name: line,
      appName: line,
      organizationName: organizationName[0],
      clockName: line,
      /** The kind of request, which decides the page and the deadline that the email names. */
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
    letter(props, { page, instant: when }) {
      const { name, appName, percent, holder, requestId } = props
      const isOverdue = percent === 100
      const isRegistration = props.about === 'registration'
      const claimed = holder ? `${holder} claimed it.` : 'It is unclaimed.'
      const missed = isRegistration
        ? 'The public statistics count it as missed.'
        : 'The developer and the practice have signed everything. Only our decision is missing.'
      return {
        preview: isOverdue ? 'The date we promised has passed.' : 'Time is running out.',
        heading: isOverdue ? 'A request is overdue' : 'A request needs a decision',
        happened: isOverdue
          ? `Hello ${name}. ${appName} was due on ${when(props.dueAt)} and has no decision.`
          : `Hello ${name}. ${appName} has used ${percent}% of its business days.`,
        means: isOverdue ? missed : claimed,
        todo: 'Decide on the evidence at hand, or claim the request if its reviewer is not available.',
        byWhen: when(props.dueAt),
        otherwise: isOverdue ? 'It stays overdue.' : 'We notify the other reviewers, then operations.',
        action: {
          label: 'Open request',
          url: page(`/staff/${isRegistration ? 'registrations' : 'production-keys'}/${requestId}`),
        },
        facts: [
          ...(props.organizationName
            ? [[isRegistration ? 'App developer' : 'Key requested by', props.organizationName] as const]
            : []),
          ['Clock', props.clockName],
          ['Request ID', requestId],
        ],
      }
    },
    example: {
      name: 'Rae Placeholder',
      appName: exampleApp,
      organizationName: exampleOrganization,
      clockName: 'Enabled within five business days',
      about: 'registration',
      percent: 60,
      dueAt: '2026-12-01T04:59:59.000Z',
      holder: null,
      requestId: exampleId,
    },
  }),
  'review-digest': defineMail({
    props: z.object({
      name: line,
      waiting: count,
      /** How many of the waiting requests are for production keys. */
      productionKeys: count.default(0),
      unclaimed: count,
      overdue: count,
      first: z
        .array(
          z.object({
            appName: line,
            organizationName: organizationName[0],
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
        url: page(
          props.productionKeys === props.waiting
            ? '/staff/registrations?kind=production_key'
            : '/staff/registrations',
        ),
      },
      facts: [
        ...props.first.map(
          ({ appName, organizationName: developer, isProductionKey, dueAt }) =>
            [
              `${isProductionKey ? 'Production key ' : ''}${appName}${developer ? ` by ${developer}` : ''}`,
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
        { appName: exampleApp, organizationName: exampleOrganization, dueAt: '2026-12-01T04:59:59.000Z' },
      ],
      requestId: '2026-11-20',
    },
  }),
}
