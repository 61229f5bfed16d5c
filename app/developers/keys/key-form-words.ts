/** What the forms that ask for a sandbox key call their fields, and the choices they give. */
export const keyFormLabels = {
  name: 'Name of the key',
  projectDescription: 'What are you building?',
  technicalContact: 'Technical contact',
  level: 'What may the key do?',
  acceptTerms: 'Sandbox terms',
} as const

export const keyLevelChoices = [
  { value: 'read_only', label: 'Read only', sub: 'Reads records. Enough for most first steps.' },
  {
    value: 'full',
    label: 'Full',
    sub: 'Reads and writes. Your sandbox becomes a copy of its own that you can change.',
  },
] as const
