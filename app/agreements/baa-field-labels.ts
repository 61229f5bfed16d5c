/** The fields of a BAA, as forms and comparisons name them. */
export const baaFieldLabels: Readonly<Record<string, string>> = {
  developerLegalName: 'Developer’s legal name',
  developerAddress: 'Developer’s address',
  developerContactName: 'Developer’s contact',
  developerContactEmail: 'Developer’s contact email',
  practiceLegalName: 'Practice’s legal name',
  practiceAddress: 'Practice’s address',
  practiceContactName: 'Practice’s contact',
  practiceContactEmail: 'Practice’s contact email',
  services: 'Services and purpose',
  deidentification: 'De-identification',
  offshore: 'Data location',
  breachNoticeHours: 'Breach notice period (hours)',
  subcontractors: 'Subcontractors',
  effectiveOn: 'Start date',
  expiresOn: 'Last day',
  terminationNoticeDays: 'Notice period (days)',
}
