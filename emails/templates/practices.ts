/** Emails about a practice: its people, and what it or an operator decided on access to its records. */
import { z } from 'zod'
import { emailsAbout } from '../emails-about.ts'
import { instant, line, reasonLine } from '../letter.ts'

const oldQuay = [line, 'Old Quay Family Practice'] as const
const { email } = emailsAbout({ name: [line, 'Odell Placeholder'], practiceName: oldQuay })
const { emailWithLink } = emailsAbout({ practiceName: [line, 'Fennmoor Family Practice'] })

const at = [instant, '2026-11-20T15:04:00.000Z'] as const

const practiceRole = [z.enum(['admin', 'signatory', 'clinician']), 'signatory'] as const
const roles = { admin: 'an admin', signatory: 'a signatory', clinician: 'a clinician' } as const
/** What the role lets people do in the console. */
const roleMeans = {
  admin:
    'There you see which companies’ software can read your patients’ records. You decide on requests, and you can stop access at any time.',
  signatory:
    'There you sign agreements for the practice, and you see which companies’ software can read your patients’ records.',
  clinician:
    'With this account you sign in to apps that you open from a chart, and you see the apps you allowed.',
} as const

/** About one key, to either side. */
const ofKey = {
  side: [z.enum(['developer', 'practice']), 'developer'],
  keyName: [line, 'Intake'],
  organizationName: [line, 'Samplewood Health Apps'],
} as const
type OfKey = { side: 'developer' | 'practice'; keyName: string; organizationName: string }
const keyOf = ({ side, keyName, organizationName }: OfKey) =>
  side === 'practice' ? `the key ${keyName} of ${organizationName}` : `your key ${keyName}`
const portalOf = ({ side }: OfKey) => (side === 'practice' ? '/practice' : '/developers')
const checkSoftware = 'Check that your software works with this. If it needs more, ask the practice.'

const withholdAnswers = {
  withheld: {
    subject: 'no further access',
    heading: 'No app or key reads your records any more',
    happened: 'agreed to your request: no key, app or system reads the records any more.',
    means: 'This includes apps that you allowed. They keep the records that they read before.',
    todo: 'Nothing.',
    otherwise: 'The records stay withheld until your practice ends it.',
  },
  declined: {
    subject: 'your request was declined',
    heading: 'Your request was declined',
    happened: 'declined your request for no further access by keys and apps.',
    means: 'Keys and apps can read the records as before.',
    todo: 'Read the reason. You can talk to your practice, and ask again.',
    otherwise: 'Access stays as it is.',
  },
  ended: {
    subject: 'keys and apps can read again',
    heading: 'Keys and apps can read your records again',
    happened: 'no longer withholds the records that you asked it to withhold.',
    means: 'Keys, and apps that you allowed and did not stop, can read the records again.',
    todo: 'If you did not expect this, talk to your practice. You can ask again.',
    otherwise: 'Access stays open.',
  },
} as const

export const practiceEmails = {
  'practice-invitation': emailWithLink(
    'acceptUrl',
    {
      invitedBy: [line, 'Theo Placeholder'],
      role: practiceRole,
      expiresAt: [instant, '2026-11-27T15:04:00.000Z'],
    },
    (props) => ({
      subject: `Invitation to ${props.practiceName}`,
      heading: `Join ${props.practiceName} on Sandpiper`,
      happened: `${props.invitedBy} invited you to the practice console of ${props.practiceName} on Sandpiper, as ${roles[props.role]}.`,
      means: roleMeans[props.role],
      todo: 'Open the link and choose a password, or sign in if you already have one.',
      byWhen: props.expiresAt,
      otherwise: 'The link expires. The person who invited you can send a new one.',
      button: 'Accept invitation',
    }),
  ),
  'practice-role-changed': email(
    {
      name: [line, 'Ines Placeholder'],
      practiceName: [line, 'Fennmoor Family Practice'],
      role: practiceRole,
      given: [z.boolean(), true],
      by: [line, 'Theo Placeholder'],
      at,
    },
    (props) => ({
      subject: `Your role at ${props.practiceName} changed`,
      heading: 'Your role has changed',
      happened: `${props.by} ${props.given ? 'made you' : 'removed your role as'} ${roles[props.role]} of ${props.practiceName}.`,
      means: 'Your roles decide what you can do in the practice console.',
      todo: 'If you didn’t expect this, ask an admin of the practice.',
      otherwise: 'The change stays in place.',
      button: 'Open the console',
      page: '/practice',
      facts: [['When', props.at]],
    }),
  ),
  'practice-access': email(
    {
      what: [z.enum(['stopped', 'resumed']), 'stopped'],
      scope: [z.enum(['app', 'key', 'organization', 'everything']), 'organization'],
      /** Name of the app or key; of a wider stop the organization. */
      about: [line, 'Samplewood Health Apps'],
      /** As the practice wrote it. */
      reason: [reasonLine, 'We saw far more requests at night than we agreed on.'],
      at,
    },
    ({ what, scope, about, practiceName, reason, at: when }) => {
      const isWide = scope === 'organization' || scope === 'everything'
      return {
        subject: `Access ${what} by ${practiceName}`,
        heading: `A practice ${what} your access`,
        happened: `${practiceName} ${what} ${isWide ? `all keys and apps of ${about}` : `the ${scope} ${about}`}.`,
        button: 'Go to the portal',
        page: '/developers',
        ...(what === 'stopped'
          ? {
              means:
                'Calls to this practice get a 401 response, and no tokens are issued, until the practice resumes access. Your code is not the cause.',
              todo: 'Read the reason, then contact the practice.',
              otherwise: 'Access stays stopped.',
              facts: [
                ['Stopped', when],
                ['Reason', reason],
              ],
            }
          : {
              means:
                'Calls to this practice work again, unless another restriction applies. Refresh tokens are still valid.',
              todo: 'Nothing.',
              otherwise: 'Access stays as it is.',
              facts: [
                ['Resumed', when],
                ['Reason for the stop', reason],
              ],
            }),
      }
    },
  ),
  'key-access': email(
    {
      ...ofKey,
      /** Their labels. */
      dataClasses: [
        z.array(line),
        ['Names, addresses, contact details, birth dates, sex', 'Allergies and intolerances'],
      ],
      purposes: [z.array(line), ['operations']],
      reason: [reasonLine, 'The intake form needs names and allergies only.'],
      at,
    },
    (props) => {
      const { keyName, practiceName, at: when } = props
      return {
        subject: `${practiceName} changed what ${keyName} can read`,
        heading: 'A practice changed what a key can read',
        happened: `${practiceName} changed what ${keyOf(props)} can read.`,
        means:
          'From the next request on, other data is absent from responses, and requests for it or for another purpose get a 403 response.',
        todo: props.side === 'practice' ? 'Nothing.' : checkSoftware,
        otherwise: 'The limits stay.',
        button: 'Go to the portal',
        page: portalOf(props),
        facts: [
          ['Changed', when],
          ['Data classes', props.dataClasses.join('; ') || 'None'],
          ['Purposes', props.purposes.join(', ') || 'None'],
          ['Reason', props.reason],
        ],
      }
    },
  ),
  'key-caps': email(
    {
      ...ofKey,
      /** One sentence each; none: they were removed. */
      caps: [
        z.array(line),
        [
          '2,000 calls a day (America/New_York)',
          '300 patients a day (America/New_York)',
          'From 07:00 to 19:00 (America/New_York)',
        ],
      ],
      reason: [reasonLine, 'The intake form is used while the practice is open.'],
      at,
    },
    (props) => {
      const { keyName, practiceName } = props
      const isRemoved = props.caps.length === 0
      return {
        ...(isRemoved
          ? {
              subject: `${practiceName} removed the caps of ${keyName}`,
              heading: 'A practice removed the caps of a key',
              means: 'From the next request on, only the published limits apply.',
              otherwise: 'Nothing changes.',
            }
          : {
              subject: `${practiceName} capped how much ${keyName} can be used`,
              heading: 'A practice capped a key',
              means:
                'From the next request on, calls over a cap of a day get a 429 response until the day ends, and calls outside the hours get 403. The response and the activity of the key name the cap.',
              otherwise: 'The caps stay.',
            }),
        happened: `${practiceName} changed how much ${keyOf(props)} can be used.`,
        todo: props.side === 'practice' || isRemoved ? 'Nothing.' : checkSoftware,
        button: 'Go to the portal',
        page: portalOf(props),
        facts: [
          ['Changed', props.at],
          ['Caps', isRemoved ? 'None' : props.caps.join('; ')],
          ['Reason', props.reason],
        ],
      }
    },
  ),
  'access-alerts': email(
    {
      name: [line, 'Theo Placeholder'],
      practiceSlug: [line, 'old-quay'],
      total: [z.number().int().min(1), 1],
      alerts: [
        z
          .array(
            z.object({
              keyName: line,
              organizationName: line,
              rule: line,
              /** Of the figures, in UTC. */
              day: line,
              explanation: z.string().min(1).max(1_000),
            }),
          )
          .min(1),
        [
          {
            keyName: 'Nightly import',
            organizationName: 'Samplewood Health Apps',
            rule: 'More calls than usual',
            day: '2026-11-20',
            explanation:
              '4,200 calls. Usual: 810, the median of the 21 days with calls in the 30 days before. The limit is 3 times that.',
          },
        ],
      ],
    },
    ({ practiceName, practiceSlug, total, alerts }) => ({
      subject:
        total === 1
          ? `${practiceName}: unusual use of ${alerts[0]?.keyName}`
          : `${practiceName}: ${total} alerts about keys and apps`,
      heading: total === 1 ? 'Unusual use of a key or app' : 'Unusual use of keys and apps',
      happened: `Keys or apps with access to ${practiceName} were used differently than in the 30 days before.`,
      means: 'It can be harmless, such as a new feature. It can also be a stolen key.',
      preview: alerts[0]?.explanation ?? '',
      todo: 'Check each alert. If you can’t explain it, stop the access and ask the organization.',
      otherwise: 'The access continues. The alert stays in your inbox.',
      button: 'Check alerts',
      page: `/practice/alerts?${new URLSearchParams({ practice: practiceSlug })}`,
      facts: [
        ...alerts.map(
          ({ keyName, organizationName, rule, day, explanation }) =>
            [rule, `${keyName} of ${organizationName}, ${day} (UTC). ${explanation}`] as const,
        ),
        [
          'More',
          total > alerts.length ? `${total - alerts.length} more alerts are in the portal.` : null,
        ] as const,
      ],
    }),
  ),
  /** To a patient. */
  'withhold-answer': email(
    {
      name: [line, 'Wren Testwell'],
      outcome: [z.enum(['withheld', 'declined', 'ended']), 'declined'],
      /** As the practice wrote it. */
      reason: [
        reasonLine.nullable(),
        'Your referral to the heart clinic needs the app until Friday. Please call us.',
      ],
      at,
    },
    ({ practiceName, outcome, reason, at: when }) => {
      const { subject, happened, ...words } = withholdAnswers[outcome]
      return {
        ...words,
        subject: `${practiceName}: ${subject}`,
        happened: `${practiceName} ${happened}`,
        button: 'See who read your records',
        page: '/patient/access',
        facts: [
          ['Decided', when],
          ['Reason', reason],
        ],
      }
    },
  ),
}
