/** What a developer's organization says about itself once, for every practice that is asked to vouch for it. */
import { z } from 'zod'
import { normalize } from '../text/normalize.ts'
import { publicName } from '../text/public-name.ts'
import { lineText } from '../text/typed-text.ts'

type Question = Readonly<{ title: string; hint: string }>

// biome-ignore format: a table reads as a table
export const securityQuestions = {
  hosting: { title: 'Where is the practice’s data stored?', hint: 'Provider, region, and whether any data leaves the country.' },
  encryption: { title: 'How is it encrypted at rest and in transit?', hint: 'Include backups and laptops.' },
  access: { title: 'Who has access, and how do they sign in?', hint: 'Roles, multi-factor authentication, and how access ends when someone leaves.' },
  keys: { title: 'Where is the API key kept?', hint: 'Use a secrets store on a server. Never a browser, an app or a repository.' },
  logging: { title: 'What is logged, and who reviews the logs?', hint: 'In particular, access to patients’ data.' },
  incidents: { title: 'What happens in an incident?', hint: 'Who is notified, by whom, and within how many hours.' },
  deletion: { title: 'How is data deleted or returned at the end?', hint: 'Include copies, backups and subcontractors.' },
  subcontractors: { title: 'Who else handles the data?', hint: 'Name them and what they do. “No one” is a valid answer.' },
} as const satisfies Record<string, Question>

type SecurityQuestion = keyof typeof securityQuestions
export const securityQuestionIds = Object.keys(securityQuestions) as readonly SecurityQuestion[]

export const drawable = [/^[^\p{Cc}\p{Cs}\p{Co}]*$/u, 'Use letters, digits and punctuation only.'] as const
const oneLine = (min: number, max: number) =>
  lineText({ missing: 'Fill in this field.', min, max, only: drawable })

export const mailAddress = z
  .string({ error: 'Fill in this field.' })
  .trim()
  .pipe(z.email('Enter an email address.').max(200))

/** A party to an agreement, as it stands in it. */
export const legalParty = z.object({
  legalName: oneLine(2, 160),
  address: oneLine(5, 240),
  contactName: oneLine(2, 120),
  contactEmail: mailAddress,
})
/** The same as it is typed. A stored party may be older than the rule for names, and stays readable. */
export const typedParty = {
  ...legalParty.shape,
  legalName: publicName({ missing: 'Enter the legal name.', min: 2, max: 160 }),
  contactName: publicName({ missing: 'Enter a name.', min: 2, max: 120 }),
}
export type LegalParty = z.output<typeof legalParty>

const answer = z
  .string({ error: 'Fill in this field.' })
  .transform((text) => normalize(text, 'NFC').trim())
  .pipe(z.string().min(10, 'Use at least 10 characters.').max(1_500, 'Use at most 1,500 characters.'))

const answers = Object.fromEntries(securityQuestionIds.map((id) => [id, answer])) as Record<
  SecurityQuestion,
  typeof answer
>

/** The legal party and an answer to every question. */
export const securityProfile = legalParty.extend(answers)
export type SecurityProfile = z.output<typeof securityProfile>
