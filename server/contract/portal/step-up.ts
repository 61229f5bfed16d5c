/**
 * Step-up: what a signed-in person has to have proven in the last minutes before something that cannot be taken back,
 * or that binds an organization or a practice. Demonstration sign-ins are published and have no second step.
 */

/** Proofs this old still count. */
export const stepUpMinutes = 10

export type Proof = Readonly<{
  /** When the password was last given. */
  authenticatedAt: Date
  /** When the second step was last given; `not_asked` for a demonstration sign-in; left out: never. */
  mfa?: Date | 'not_asked'
}>

type MissingProof = 'password' | 'second_step'

/** Whether something was given in the last ten minutes; never true of the future. */
export function isFresh(at: Date, now: Date): boolean {
  const ageMs = now.getTime() - at.getTime()
  return ageMs >= 0 && ageMs <= stepUpMinutes * 60_000
}

/** What is to be proven next: the password first, then the second step. Null when both are fresh. */
export function findMissingProof({ authenticatedAt, mfa }: Proof, now: Date): MissingProof | null {
  if (!isFresh(authenticatedAt, now)) return 'password'
  if (mfa === 'not_asked') return null
  return mfa && isFresh(mfa, now) ? null : 'second_step'
}

/** What a refusal says; `field` of its Problem is `stepUp`. */
export const missingProofWords: Record<MissingProof, string> = {
  password: 'Confirm your password first.',
  second_step: 'Enter the code from your authenticator app first.',
}
