/** What only the requester can know. */
import { type Attestation, attestations as sentences } from '../../../contract/workflows/registration-form.ts'
import type { LintRule } from './lint-rule.ts'

export const attestations: LintRule = {
  id: 'attestations',
  check: 'attestations',
  passed: () => 'Every statement is confirmed.',
  find: (form) =>
    (Object.keys(sentences) as Attestation[])
      .filter((name) => !form[name])
      .map((name) => ({
        field: name,
        reason: `Confirm: “${sentences[name]}”`,
        fix: 'Tick it when it is true.',
      })),
}
