/**
 * What must be proven again: the password alone, or the password and then the second step. Pages of every realm ask
 * the same functions, and the pages that ask for the proof lead back to where it was wanted.
 */
import { redirect } from '@remix-run/server-runtime'
import { findMissingProof } from '../../server/contract/portal/step-up.ts'
import { actorOf, here, type PageArgs, type PortalSession } from '../services.server.ts'
import { confirmPath, type ProofRealm, proofPaths } from './sign-in-paths.ts'

/**
 * Password and second step, both given in the last ten minutes: for what binds an organization or a practice.
 * @param back where the proof leads: this page, when left out
 * @returns the address of the page that asks for what is missing; null when nothing is
 */
export function findStepUp(args: PageArgs, session: PortalSession, back = here(args.request)): string | null {
  const missing = findMissingProof(actorOf(args, session), args.context.services.clock())
  if (missing === null) return null
  const places = proofPaths[session.realm as ProofRealm]
  // The second step's page asks for the password itself, and is told where to go on from there.
  return confirmPath(places.mfa, back)
}

/**
 * In an action: goes to the page that asks.
 * @throws a redirect unless both proofs are fresh
 */
export function requireStepUp(args: PageArgs, session: PortalSession): void {
  const path = findStepUp(args, session)
  if (path !== null) throw redirect(path)
}

/**
 * The password alone: for what only its own holder could want, as the reveal of a sandbox key.
 * @returns as `findStepUp`
 */
export function confirmPasswordPath(path: string, request: Request): string {
  return confirmPath(path, here(request))
}
