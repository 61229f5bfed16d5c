/**
 * What makes a request worth a closer look. Each row is a fact that anybody can check on the request; a reviewer sees
 * the facts that hold, and the level of the gravest. Nothing is counted or weighed.
 */
export const riskLevels = { low: 'Low risk', raised: 'Raised risk', high: 'High risk' } as const
export type RiskLevel = keyof typeof riskLevels

type RiskFact = Readonly<{ level: Exclude<RiskLevel, 'low'>; sentence: string }>

/** Newer organizations have no record with us. */
export const newOrganizationDays = 30

/** Types that hold what people tell few others: notes, answers to screenings, family. */
export const confidentialTypes = ['DocumentReference', 'QuestionnaireResponse', 'RelatedPerson'] as const
/** The same, in the classes that a production key names. */
export const confidentialClasses = ['notes', 'specially_protected'] as const

// biome-ignore format: a table reads as a table
export const riskFacts = {
  writes: { level: 'high', sentence: 'Requests write access.' },
  no_person: { level: 'high', sentence: 'Reads without a person present (system scopes).' },
  flagged: { level: 'high', sentence: 'The automatic check found something in the request.' },
  held: { level: 'high', sentence: 'The practice did not recognize the request.' },
  leaked_before: { level: 'high', sentence: 'A key of the organization leaked in the last 365 days.' },
  whole_record: { level: 'raised', sentence: 'Requests every record type.' },
  confidential_data: { level: 'raised', sentence: 'Requests confidential data: notes, screening answers or family.' },
  new_organization: { level: 'raised', sentence: `The organization joined less than ${newOrganizationDays} days ago.` },
  unverified_domain: { level: 'raised', sentence: 'The website’s domain is not confirmed as the organization’s.' },
  foreign_redirect: { level: 'raised', sentence: 'A redirect URI is on a different domain than the website.' },
  rejected_before: { level: 'raised', sentence: 'An earlier request of the organization was rejected.' },
} as const satisfies Record<string, RiskFact>
export type RiskFactId = keyof typeof riskFacts

export type Risk = Readonly<{ level: RiskLevel; facts: readonly RiskFactId[] }>

/** The level of the gravest fact, and the facts in the order of the table. */
export function riskOf(holds: Readonly<Partial<Record<RiskFactId, boolean>>>): Risk {
  const facts = (Object.keys(riskFacts) as RiskFactId[]).filter((id) => holds[id] === true)
  const levels = facts.map((id) => riskFacts[id].level)
  const level = levels.includes('high') ? 'high' : levels.length > 0 ? 'raised' : 'low'
  return { level, facts }
}
