/** What a reviewer of a production key looks at, may ask for, and may turn it away for; the same for everyone. */

// biome-ignore format: a table reads as a table
export const productionChecks = {
  organization: { title: 'The organization is who it claims to be', look: 'Legal name, confirmed domain, and a signatory.' },
  need: { title: 'Access level and data fit the purpose', look: 'The request asks only for what its justification needs, and for full access only to write.' },
  security: { title: 'The security profile is sufficient', look: 'Every answer describes an actual measure for this data.' },
  practice: { title: 'The practice made an informed decision', look: 'An admin of the practice confirmed it, and the signatory is the one the practice named.' },
  documents: { title: 'Every agreement is in force', look: 'Usage agreement, usage policy, BAA and sponsorship, right now.' },
} as const
type ProductionCheck = keyof typeof productionChecks

type Reason = Readonly<{ check: ProductionCheck; sentence: string; template: string }>

// biome-ignore format: a table reads as a table
export const productionInfoReasons = {
  party_unclear: { check: 'organization', sentence: 'We can’t identify the organization.', template: 'Name the legal entity and a page that shows it.' },
  need_unclear: { check: 'need', sentence: 'The justification doesn’t explain the access level or a data class.', template: 'Tell us what needs it:' },
  security_unclear: { check: 'security', sentence: 'An answer in the security profile is unclear.', template: 'Tell us more about:' },
  sponsor_unclear: { check: 'practice', sentence: 'The practice confirmed something other than what was requested.', template: 'Explain the difference:' },
} as const satisfies Record<string, Reason>

// biome-ignore format: a table reads as a table
export const productionRejectionReasons = {
  not_authentic: { check: 'organization', sentence: 'The organization is not who it claims to be.', template: 'Provide evidence that shows who you are.' },
  not_needed: { check: 'need', sentence: 'The request asks for more access than its purpose needs.', template: 'Request a lower access level or fewer data classes.' },
  not_safe: { check: 'security', sentence: 'The data would not be safe.', template: 'Provide safeguards that fit the data.' },
  not_wanted: { check: 'practice', sentence: 'The practice did not know what it confirmed.', template: 'Send the practice a new request.' },
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
