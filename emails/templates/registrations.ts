/** Emails to the developers of a registration. */
import { z } from 'zod'
import { emailsAbout } from '../emails-about.ts'
import {
  count,
  exampleId,
  instant,
  instantOrNull,
  line,
  listItems,
  reviewItems,
  typedText,
} from '../letter.ts'

const { email } = emailsAbout(
  {
    name: [line, 'Robin Testwell'],
    appName: [line, 'Tidepath Health'],
    /** What is asked for: registration of an app, a change, higher limits, a longer term. */
    kindName: [line, 'App registration'],
    organizationSlug: [z.string().regex(/^[a-z0-9-]{1,120}$/), 'samplewood-health-apps'],
    requestId: [line, exampleId],
  },
  {
    page: ({ organizationSlug, requestId }) =>
      `/organizations/${organizationSlug}/registrations/${requestId}`,
    facts: ({ appName, kindName, requestId }) => [
      ['App', appName],
      ['Request', kindName],
      ['Request ID', requestId],
    ],
  },
)

const promiseDueAt = [instantOrNull, '2026-12-01T04:59:59.000Z'] as const
const ruleDueAt = [instantOrNull, '2026-12-08T04:59:59.000Z'] as const
const lapsesAt = [instant, '2026-12-20T17:00:00.000Z'] as const
const decideBy = (day: string | null) => day && `We decide by ${day}`

export const registrationEmails = {
  'registration-received': email({ promiseDueAt, ruleDueAt }, (props) => ({
    subject: `We received your request: ${props.appName}`,
    heading: 'We received your request',
    happened: `Your request for ${props.appName} is complete and in our queue.`,
    means: 'A reviewer handles it. The checks are the same for everyone, and they are published.',
    todo: 'Nothing for now. We email you when we decide or if something is missing.',
    byWhen: decideBy(props.promiseDueAt),
    otherwise: 'The review continues.',
    button: 'View request',
    facts: [['Identity decision due', props.ruleDueAt]],
  })),
  'registration-incomplete': email(
    {
      items: [reviewItems, [{ sentence: 'Redirect URIs', text: 'This URI has a fragment. Remove it.' }]],
      ruleDueAt,
    },
    ({ appName, items }) => ({
      subject: `Your request is incomplete: ${appName}`,
      heading: 'Your request is incomplete',
      happened: `Your request for ${appName} has missing or incorrect items.`,
      means: 'We recorded the date of receipt. Our five business days start when the request is complete.',
      todo: 'Fix the items listed below and submit the request again.',
      otherwise: 'After 30 days without activity the request is withdrawn. You can reopen it for a year.',
      button: 'Complete request',
      facts: listItems(items),
    }),
  ),
  'registration-authenticity': email({ ruleDueAt }, ({ appName, ruleDueAt }) => ({
    subject: `Organization verified: ${appName}`,
    heading: 'Your organization is verified',
    happened: `A reviewer verified your organization for ${appName}.`,
    means: 'This is the first of two decisions. The second is about the app’s configuration.',
    todo: 'Nothing, unless the request’s page lists questions for you.',
    byWhen: ruleDueAt && `If the app is complete, we enable it by ${ruleDueAt}`,
    otherwise: 'The review continues.',
    button: 'View request',
  })),
  'registration-resubmitted': email({ promiseDueAt }, ({ appName, promiseDueAt }) => ({
    subject: `We received your answers: ${appName}`,
    heading: 'We received your answers',
    happened: `You answered every question about ${appName}.`,
    means: 'Our review clock is running again, with the days that were left.',
    todo: 'Nothing for now. We email you when we decide.',
    byWhen: decideBy(promiseDueAt),
    otherwise: 'The review continues.',
    button: 'View request',
  })),
  'registration-changed': email(
    { fields: [z.string().min(1).max(400), 'Description, Website'] },
    ({ appName, fields }) => ({
      subject: `Your app was changed: ${appName}`,
      heading: 'Your app was changed',
      happened: `A member of your organization changed ${appName}: ${fields}.`,
      means: 'The change is live. URIs, keys and scopes are unchanged.',
      todo: 'If this was a mistake, change it back and check who belongs to your organization.',
      otherwise: 'The change stays in place.',
      button: 'View app',
    }),
  ),
  'registration-needs-info': email(
    {
      items: [
        reviewItems,
        [
          { sentence: 'A redirect URI does not belong to the app.', text: 'Who owns the second URI?' },
          { sentence: 'A link doesn’t open.', text: 'The privacy policy.' },
        ],
      ],
      /** The clock goes on: it could have been asked the first time. */
      clockRuns: [z.boolean(), false],
      lapsesAt,
    },
    ({ appName, items, clockRuns, lapsesAt }) => ({
      subject: `Your answer is needed: ${appName}`,
      heading: 'We need more information',
      happened: `A reviewer looked at ${appName} and needs the answers listed below.`,
      means: clockRuns
        ? 'We should have asked for this earlier, so our review clock keeps running.'
        : 'Our review clock is paused until you answer.',
      todo: 'Answer each item on the request’s page, then submit your answers.',
      byWhen: lapsesAt,
      otherwise: 'We send two reminders. Then the request is withdrawn. You can reopen it for a year.',
      button: 'Answer',
      facts: listItems(items),
    }),
  ),
  'registration-reminder': email(
    { count: [z.number().int().min(1).max(2), 1], lapsesAt },
    ({ appName, count: sent, lapsesAt }) => ({
      subject: `Your answer is still needed: ${appName}`,
      heading: 'Your request is on hold',
      happened: `We need your answer about ${appName}. This is reminder ${sent} of 2.`,
      means: 'We can’t continue until you answer.',
      todo: 'Open the request, add what is missing and submit it.',
      byWhen: lapsesAt,
      otherwise: 'The request is withdrawn. You can reopen it for a year.',
      button: 'Open request',
    }),
  ),
  'registration-inactive': email(
    { reopenUntil: [instant, '2027-11-20T17:00:00.000Z'] },
    ({ appName, reopenUntil }) => ({
      subject: `Withdrawn after 30 days: ${appName}`,
      heading: 'Your request was withdrawn',
      happened: `We received no answer about ${appName} for 30 days, so we withdrew the request.`,
      means: 'Your entries are kept, and your sandbox app keeps working.',
      todo: 'If you still want it, reopen the request and submit it.',
      byWhen: reopenUntil,
      otherwise: 'It stays withdrawn.',
      button: 'Reopen request',
    }),
  ),
  'registration-enabled': email(
    {
      /** Null for requests that are not about an app. */
      clientId: [line.nullable(), 'app-0123456789abcdef01234567'],
      directoryUrl: [z.url().nullable(), 'https://portal.example/r4/endpoints'],
      businessDays: [count.nullable(), 3],
    },
    ({ appName, clientId, directoryUrl, businessDays }) => ({
      subject: `Enabled: ${appName}`,
      ...(clientId
        ? {
            heading: 'Your app is enabled',
            happened: `${appName} is enabled in production. We verified it with a test authorization.`,
            means:
              'Patients and clinicians can authorize it at every practice that admits this kind of app. A backend system needs each practice’s approval.',
            todo: 'Set the client ID in your app. Find each practice’s base URL in the endpoint directory.',
          }
        : {
            heading: 'Your request is approved',
            happened: `Your request for ${appName} is approved and takes effect now.`,
            means: 'It is free of charge.',
            todo: 'Nothing.',
          }),
      otherwise: 'Your sandbox app stays the same.',
      button: 'View request',
      facts: [
        ['Client ID', clientId],
        ['Endpoint directory', directoryUrl],
        ['Business days taken', businessDays === null ? null : String(businessDays)],
      ],
    }),
  ),
  'registration-rejected': email(
    {
      items: [
        reviewItems,
        [
          {
            sentence: 'A redirect URI belongs to someone else.',
            text: 'Use redirect URIs that belong to you.',
          },
        ],
      ],
      text: [typedText, 'The second URI belongs to another company.'],
      appealUntil: [instant, '2026-12-20T17:00:00.000Z'],
    },
    ({ appName, items, text, appealUntil }) => ({
      subject: `Rejected: ${appName}`,
      heading: 'Your request was rejected',
      happened: `Two reviewers rejected the request for ${appName}.`,
      means: `Their reason: ${text}`,
      todo: 'What needs to change is listed below. If you think the decision is wrong, appeal. A different reviewer handles the appeal.',
      byWhen: appealUntil,
      otherwise:
        'The request stays closed. Your sandbox app keeps working, and you can submit a new request.',
      button: 'Read the reason or appeal',
      facts: listItems(items),
    }),
  ),
  'registration-appealed': email({ promiseDueAt }, ({ appName, promiseDueAt }) => ({
    subject: `We received your appeal: ${appName}`,
    heading: 'We received your appeal',
    happened: `You appealed the decision on ${appName}.`,
    means: 'A reviewer who took no part in the first decision reviews the whole request again.',
    todo: 'Nothing for now.',
    byWhen: decideBy(promiseDueAt),
    otherwise: 'The appeal continues.',
    button: 'View request',
  })),
  'registration-withdrawn': email({ byName: [line, 'Kim Placeholder'] }, ({ appName, byName }) => ({
    subject: `Withdrawn: ${appName}`,
    heading: 'Your request was withdrawn',
    happened: `${byName} withdrew the request for ${appName}.`,
    means: 'We stopped the review. Your sandbox app keeps working.',
    todo: 'Nothing. To try again, submit a new request.',
    otherwise: 'It stays withdrawn.',
    button: 'View request',
  })),
  'registration-suspended': email(
    {
      reason: [typedText, 'Someone else took over the redirect URI.'],
      at: [instant, '2026-11-20T17:00:00.000Z'],
    },
    ({ appName, reason, at }) => ({
      subject: `Stopped: ${appName}`,
      heading: 'Your app is stopped',
      happened: `An operator stopped ${appName} on ${at}.`,
      means: `Its requests are now refused. Reason: ${reason}`,
      todo: 'Respond through the security contact or on the request’s page.',
      otherwise: 'It stays stopped until the cause is resolved or the app is retired.',
      button: 'View app',
    }),
  ),
  'registration-reinstated': email(
    { reason: [typedText, 'The redirect URI is yours again.'] },
    ({ appName, reason }) => ({
      subject: `Active again: ${appName}`,
      heading: 'Your app is active again',
      happened: `An operator resumed ${appName}.`,
      means: `It works as before. Their note: ${reason}`,
      todo: 'Nothing. If tokens expired in the meantime, request new ones.',
      otherwise: 'Nothing changes.',
      button: 'View app',
    }),
  ),
  'registration-retired': email(
    { reason: [typedText, 'The organization requested it.'] },
    ({ appName, reason }) => ({
      subject: `Retired: ${appName}`,
      heading: 'Your app is retired',
      happened: `An operator retired ${appName}.`,
      means: `It no longer works, and this is permanent. Reason: ${reason}`,
      todo: 'To try again, submit a new registration.',
      otherwise: 'It stays retired.',
      button: 'View app',
    }),
  ),
}
