/** What the forms that ask for a sandbox key call their fields, and the choices they give. */
export const keyFormLabels = {
  name: 'Key name',
  projectDescription: 'What are you building?',
  technicalContact: 'Technical contact',
  level: 'Access level',
  acceptTerms: 'Sandbox terms',
} as const

export const keyLevelChoices = [
  { value: 'read_only', label: 'Read-only', sub: 'Reads records. Enough for most first steps.' },
  {
    value: 'full',
    label: 'Full',
    sub: 'Reads and writes. You get your own copy of the sandbox data to change.',
  },
] as const
