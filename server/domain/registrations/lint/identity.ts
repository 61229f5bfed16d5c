/** An app says what it is in words of its own. */
import type { LintRule } from './lint-rule.ts'

const descriptionCharactersMin = 30

export const identity: LintRule = {
  id: 'identity',
  check: 'identity',
  passed: () => 'The app has a name and a description.',
  find: ({ name, description }) => [
    ...([...name].length < 2
      ? [
          {
            field: 'name',
            reason: 'Add a name.',
            fix: 'People see it on the consent page. Use 2 to 100 characters.',
          } as const,
        ]
      : []),
    ...([...description].length < descriptionCharactersMin
      ? [
          {
            field: 'description',
            reason: 'Describe what the app does.',
            fix: `Describe what it does and who uses it, in at least ${descriptionCharactersMin} characters.`,
          } as const,
        ]
      : []),
  ],
}
