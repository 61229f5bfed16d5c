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
  subject: ({ appName }) => `Your turn: ${appName}`,
  letter: (props, context) => ({
    preview: `Items to answer: ${props.items.length}.`,
    heading: 'We need something from you',
    happened: `Hello ${props.name}. A reviewer looked at ${props.appName} and needs what is listed below.`,
    means: props.clockRuns
      ? 'We could have asked for this earlier, so the clock of our promise goes on.'
      : 'It is your turn. The clock of our promise waits for you.',
    todo: 'Answer each item on the page of the request, then send the answers.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'We remind you twice. Then the request is withdrawn; it can be opened again for a year.',
    action: openPage(props, 'Answer', context),
    facts: [...listItems(props.items), ...factsOf(props)],
  }),
  example: {
    ...exampleAbout,
    items: [
      {
        sentence: 'A redirect address does not belong to the app.',
        text: 'Whose address is the second one?',
      },
      { sentence: 'A link does not answer.', text: 'The privacy policy.' },
    ],
    clockRuns: false,
    lapsesAt: '2026-12-20T17:00:00.000Z',
  },
})

export const registrationReminder = defineMail({
  props: z.object({ ...about, count: z.number().int().min(1).max(2), lapsesAt: instant }),
  links: [],
  subject: ({ appName }) => `Still your turn: ${appName}`,
  letter: (props, context) => ({
    preview: 'The request waits for you.',
    heading: 'The request waits for you',
    happened: `Hello ${props.name}. ${props.appName} has been waiting for you. This is reminder ${props.count} of 2.`,
    means: 'We cannot go on until you do.',
    todo: 'Open the request, put in what is missing, and send it.',
    byWhen: context.instant(props.lapsesAt),
    otherwise: 'The request is withdrawn. It can be opened again for a year.',
    action: openPage(props, 'Open the request', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, count: 1, lapsesAt: '2026-12-20T17:00:00.000Z' },
})

export const registrationInactive = defineMail({
  props: z.object({ ...about, reopenUntil: instant }),
  links: [],
  subject: ({ appName }) => `Withdrawn after 30 silent days: ${appName}`,
  letter: (props, context) => ({
    preview: 'It can be opened again.',
    heading: 'Your request was withdrawn',
    happened: `Hello ${props.name}. Nothing came back about ${props.appName} for 30 days, so we withdrew the request.`,
    means: 'Nothing is lost: what you wrote is kept, and the sandbox goes on working.',
    todo: 'If you still want it, open the request again and submit it.',
    byWhen: context.instant(props.reopenUntil),
    otherwise: 'It stays withdrawn.',
    action: openPage(props, 'Open it again', context),
    facts: factsOf(props),
  }),
  example: { ...exampleAbout, reopenUntil: '2027-11-20T17:00:00.000Z' },
})
