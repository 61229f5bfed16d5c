/** Mails of a registration that waits for its developer. */
import { z } from 'zod'
import { instant } from '../fields.ts'
import { defineMail } from '../letter.ts'
import { about, exampleAbout, factsOf, items, listItems, openPage } from './registration-fields.ts'

export const registrationNeedsInfo = defineMail({
  props: z.object({
    ...about,
    items,
    /** The clock goes on: it could have been asked the first time. */
    clockRuns: z.boolean(),
    lapsesAt: instant,
  }),
  links: [],
  subject: ({ appName }) => `Your answer is needed: ${appName}`,
  letter: (props, context) => ({
    preview: `Items to answer: ${props.items.length}.`,
    heading: 'We need more information',
    happened: `Hello ${props.name}. A reviewer looked at ${props.appName} and needs the answers listed below.`,
    means: props.clockRuns
      ? 'We should have asked for this earlier, so our review clock keeps running.'
      : 'Our review clock is paused until you answer.',
    todo: 'Answer each item on the request’s page, then submit your answers.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'We send two reminders. Then the request is withdrawn. You can reopen it for a year.',
    action: openPage(props, 'Answer', context),
    facts: [...listItems(props.items), ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    items: [
      {
        sentence: 'A redirect URI does not belong to the app.',
        text: 'Who owns the second URI?',
      },
      { sentence: 'A link doesn’t open.', text: 'The privacy policy.' },
    ],
    clockRuns: false,
    lapsesAt: '2026-12-20T17:00:00.000Z',
  },
})

export const registrationReminder = defineMail({
  props: z.object({ ...about, count: z.number().int().min(1).max(2), lapsesAt: instant }),
  links: [],
  subject: ({ appName }) => `Your answer is still needed: ${appName}`,
  letter: (props, context) => ({
    preview: 'The review continues when you answer.',
    heading: 'Your request is on hold',
    happened: `Hello ${props.name}. We need your answer about ${props.appName}. This is reminder ${props.count} of 2.`,
    means: 'We can’t continue until you answer.',
    todo: 'Open the request, add what is missing and submit it.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'The request is withdrawn. You can reopen it for a year.',
    action: openPage(props, 'Open request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, count: 1, lapsesAt: '2026-12-20T17:00:00.000Z' },
})

export const registrationInactive = defineMail({
  props: z.object({ ...about, reopenUntil: instant }),
  links: [],
  subject: ({ appName }) => `Withdrawn after 30 days: ${appName}`,
  letter: (props, context) => ({
    preview: 'You can reopen it.',
    heading: 'Your request was withdrawn',
    happened: `Hello ${props.name}. We received no answer about ${props.appName} for 30 days, so we withdrew the request.`,
    means: 'Your entries are kept, and your sandbox app keeps working.',
    todo: 'If you still want it, reopen the request and submit it.',
    byWhen: context.instant(props.reopenUntil),
    otherwise: 'It stays withdrawn.',
    action: openPage(props, 'Reopen request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, reopenUntil: '2027-11-20T17:00:00.000Z' },
})
