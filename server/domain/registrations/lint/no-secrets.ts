/** Saving refuses them already; what came by another way is found here. */
import { registrationFields, toText } from '../../../contract/workflows/registration-form.ts'
import { findFormSecret } from '../form-secrets.ts'
import type { LintRule } from './lint-rule.ts'

export const noSecrets: LintRule = {
  id: 'no-secrets',
  check: 'attestations',
  passed: () => 'The form contains nothing that looks like a private key, a secret or patient data.',
  find: (form) =>
    registrationFields.flatMap((field) => {
      const message = findFormSecret(field, toText(form[field]))
      return message === null ? [] : [{ field, reason: message, fix: 'Remove it and save again.' }]
    }),
}
