/** Checks of recent proofs, before a step that binds an organization or a practice, or shows a production secret. */
import { Problem } from '../../contract/http/problems.ts'
import { findMissingProof, isFresh, missingProofWords, type Proof } from '../../contract/portal/step-up.ts'

/**
 * Requires the password and the second step, both from the last ten minutes.
 * @throws Problem `forbidden` with the field `stepUp`
 */
export function requireStepUp(proof: Proof, now: Date): void {
  const missing = findMissingProof(proof, now)
  if (missing) throw new Problem('forbidden', { message: missingProofWords[missing], field: 'stepUp' })
}

/**
 * Requires the password from the last ten minutes, which is enough for a sandbox secret.
 * @throws Problem `forbidden` with the field `stepUp`
 */
export function requirePassword({ authenticatedAt }: Proof, now: Date): void {
  if (!isFresh(authenticatedAt, now))
    throw new Problem('forbidden', { message: missingProofWords.password, field: 'stepUp' })
}

/**
 * Requires the second step of this sign-in, at any time. Demonstration accounts are exempt (decisions, 20).
 * @throws Problem `forbidden`
 */
export function requireMfa({ mfa }: Pick<Proof, 'mfa'>): void {
  if (mfa === undefined)
    throw new Problem('forbidden', { message: 'Enter the code from your authenticator app first.' })
}
