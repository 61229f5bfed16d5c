/** A picture helps people to recognise the app; it is no condition. */
import type { LintRule } from './lint-rule.ts'

export const logo: LintRule = {
  id: 'logo',
  check: 'identity',
  passed: (form) => (form.logo === '' ? 'A backend system needs no logo.' : 'The app has a logo.'),
  find: (form) =>
    form.logo === '' && form.audience !== 'backend'
      ? [
          {
            field: 'logo',
            severity: 'hint',
            reason: 'Without a logo, people see the first letter of the app’s name.',
            fix: 'Upload a PNG, JPEG or WebP. You can submit without it.',
          },
        ]
      : [],
}
