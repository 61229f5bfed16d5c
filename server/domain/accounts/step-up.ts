/** The question in front of what binds an organization or a practice, or shows a production secret. */
import { Problem } from '../../contract/http/problems.ts'
import { findMissingProof, isFresh, missingProofWords, type Proof } from '../../contract/portal/step-up.ts'

/**
 * Password and second step, both given in the last ten minutes.
 * @throws Problem `forbidden` with the field `stepUp`
 */
export function requireStepUp(proof: Proof, now: Date): void {
  const missing = findMissingProof(proof, now)
  if (missing) throw new Problem('forbidden', { message: missingProofWords[missing], field: 'stepUp' })
}

/**
 * The password, given in the last ten minutes: all that a sandbox secret takes.
 * @throws Problem `forbidden` with the field `stepUp`
 */
export function requirePassword({ authenticatedAt }: Proof, now: Date): void {
  if (!isFresh(authenticatedAt, now))
    throw new Problem('forbidden', { message: missingProofWords.password, field: 'stepUp' })
}

/**
 * The second step of this sign-in, however long ago; demonstration sign-ins are not asked (decisions, 20).
 * @throws Problem `forbidden`
 */
export function requireMfa({ mfa }: Pick<Proof, 'mfa'>): void {
  if (mfa === undefined)
    throw new Problem('forbidden', { message: 'Enter the code from your authenticator app first.' })
}
