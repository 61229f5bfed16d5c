/** What a registration accepts, and the policy that binds us: the texts in force. */
import { readAgreementText } from './agreement-text.ts'

export function createRegistrationTexts() {
  const terms = readAgreementText('registration-terms', '1.0')
  const policy = readAgreementText('registration-policy', '1.0')
  return {
    /** Accepted with every submission, by version and hash. */
    terms: () => terms,
    policy: () => policy,
  }
}

export type RegistrationTexts = ReturnType<typeof createRegistrationTexts>
