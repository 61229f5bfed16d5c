/** An app says what it is in words of its own. */
import type { LintRule } from './lint-rule.ts'

const descriptionCharactersMin = 30

export const identity: LintRule = {
  id: 'identity',
  check: 'identity',
  passed: 'The app has a name, and says what it does.',
  find: ({ name, description }) => [
    ...([...name].length < 2
      ? [
          {
            field: 'name',
            reason: 'The app has no name.',
            fix: 'Give the name that people see when they are asked, in 2 to 100 characters.',
          } as const,
        ]
      : []),
    ...([...description].length < descriptionCharactersMin
      ? [
          {
            field: 'description',
            reason: 'The description does not say what the app does.',
            fix: `Say what it does and for whom, in at least ${descriptionCharactersMin} characters.`,
          } as const,
        ]
      : []),
  ],
}
