/** The sandbox terms in force. */
import { readAgreementText } from './agreement-text.ts'

export function createSandboxTerms() {
  const current = readAgreementText('sandbox-terms', '1.0')
  return { current: () => current }
}

export type SandboxTerms = ReturnType<typeof createSandboxTerms>
