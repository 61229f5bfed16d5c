/** What a reviewer of a production key looks at, may ask for, and may turn it away for; the same for everyone. */

// biome-ignore format: a table reads as a table
export const productionChecks = {
  organization: { title: 'The organization is who it says', look: 'Legal name, confirmed domain, and a person who signed for it.' },
  need: { title: 'Level and data fit the purpose', look: 'Nothing is asked for that the justification does not need; full only where it writes.' },
  security: { title: 'The security profile holds', look: 'Every answer says what is done, for this data.' },
  practice: { title: 'The practice vouches knowingly', look: 'An admin of the practice confirmed it, and the signatory is the one it named.' },
  documents: { title: 'Every document is in force', look: 'Usage agreement, usage policy, BAA and sponsorship, at this moment.' },
} as const
type ProductionCheck = keyof typeof productionChecks

type Reason = Readonly<{ check: ProductionCheck; sentence: string; template: string }>

// biome-ignore format: a table reads as a table
export const productionInfoReasons = {
  party_unclear: { check: 'organization', sentence: 'We cannot tell who the organization is.', template: 'Name the legal entity and a page that shows it.' },
  need_unclear: { check: 'need', sentence: 'The level or a class of data does not follow from the justification.', template: 'Tell us what needs it:' },
  security_unclear: { check: 'security', sentence: 'An answer of the security profile is not clear.', template: 'Tell us more about:' },
  sponsor_unclear: { check: 'practice', sentence: 'What the practice confirmed is not what was asked for.', template: 'Explain the difference:' },
} as const satisfies Record<string, Reason>
export type ProductionInfoReason = keyof typeof productionInfoReasons

// biome-ignore format: a table reads as a table
export const productionRejectionReasons = {
  not_authentic: { check: 'organization', sentence: 'The organization is not what it says it is.', template: 'Evidence that shows who you are would change this.' },
  not_needed: { check: 'need', sentence: 'What is asked for goes beyond what it is for.', template: 'A lower level, or fewer classes of data, would change this.' },
  not_safe: { check: 'security', sentence: 'The data would not be safe.', template: 'Safeguards that fit the data would change this.' },
  not_wanted: { check: 'practice', sentence: 'The practice did not know what it vouched for.', template: 'A new request to the practice would change this.' },
} as const satisfies Record<string, Reason>
export type ProductionRejectionReason = keyof typeof productionRejectionReasons

/** What has to be in force, by name, at the moment of approval and of every reveal. */
export const productionFacts = {
  usageAgreement: 'Usage agreement',
  usagePolicy: 'Usage policy',
  baa: 'BAA',
  sponsorship: 'Sponsorship',
} as const
export type ProductionFact = keyof typeof productionFacts
