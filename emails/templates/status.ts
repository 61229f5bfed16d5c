/** Of the status page: the link that asks whether an address wants its mails, and what those mails tell. */
import { z } from 'zod'
import { emailsAbout } from '../emails-about.ts'
import { defineMail, instant, line } from '../letter.ts'

const text = z
  .string()
  .min(1)
  .max(2_000)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
const words = (value: string) => value.replaceAll('_', ' ')
const informational = 'This is for information only. It is not a service-level agreement.'

const { emailWithLink } = emailsAbout({})

export const statusEmails = {
  'status-confirm': emailWithLink(
    'confirmUrl',
    { about: [line, 'REST API, FHIR API'], expiresAt: [instant, '2026-11-23T15:04:00.000Z'] },
    ({ about, expiresAt }) => ({
      subject: 'Confirm your status emails',
      heading: 'Confirm your subscription',
      happened: `Someone requested status emails for this address, about: ${about}.`,
      means: 'We send no status emails until you confirm.',
      todo: 'If this was you, open the link and confirm. If not, ignore this email.',
      byWhen: expiresAt,
      otherwise: 'We delete the request and this address.',
      button: 'Confirm subscription',
    }),
  ),
  'status-incident': defineMail({
    props: z.object({
      incidentId: z.uuid(),
      kind: z.enum(['incident', 'maintenance']),
      stage: line,
      title: line,
      text,
      components: z.string().min(1).max(400),
      at: instant,
      startsAt: instant,
    }),
    links: ['manageUrl'],
    subject: ({ stage: now, title }) => `${capital(words(now))}: ${title}`,
    letter: (props, { links, page, instant: moment }) => ({
      preview: props.text.slice(0, 120),
      heading: props.title,
      happened: `${capital(words(props.stage))}. ${props.text}`,
      means: `Affected: ${props.components}. ${informational}`,
      todo: ['resolved', 'completed'].includes(props.stage)
        ? 'Nothing.'
        : 'Nothing. We email you with the next update.',
      byWhen: null,
      otherwise: 'You get the next status email.',
      action: { label: 'Read it on the status page', url: page(`/status/incidents/${props.incidentId}`) },
      facts: [
        ['Posted', moment(props.at)],
        [props.kind === 'maintenance' ? 'Starts' : 'Started', moment(props.startsAt)],
        ['Manage status emails', links.manageUrl],
      ],
    }),
    example: {
      incidentId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
      kind: 'incident',
      stage: 'identified',
      title: 'Searches are slow',
      text: 'One search index is being rebuilt. Searches take two to four seconds, and succeed.',
      components: 'REST API, FHIR API',
      at: '2026-11-20T15:04:00.000Z',
      startsAt: '2026-11-20T14:52:00.000Z',
    },
  }),
  'status-changed': defineMail({
    props: z.object({ componentName: line, from: line, to: line, summary: text, at: instant }),
    links: ['manageUrl'],
    subject: ({ componentName, to }) => `${componentName}: ${words(to)}`,
    letter: ({ componentName, from, to, summary, at }, { links, page, instant: moment }) => ({
      preview: summary.slice(0, 120),
      heading: `${componentName} is ${words(to)}`,
      happened: `${componentName} was ${words(from)} and is ${words(to)}. ${summary}`,
      means: `Source: our checks or a manual setting. ${informational}`,
      todo: 'Nothing. We email you when it changes again.',
      byWhen: null,
      otherwise: 'You get the next status email.',
      action: { label: 'View status', url: page('/status') },
      facts: [
        ['When', moment(at)],
        ['Manage status emails', links.manageUrl],
      ],
    }),
    example: {
      componentName: 'FHIR API',
      from: 'operational',
      to: 'down',
      summary: 'Charts cannot be read.',
      at: '2026-11-20T15:04:00.000Z',
    },
  }),
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
