/** Checks that a person signed in strongly enough, and recently enough, for a step. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { requireMfa, requirePassword, requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'

/** Proofs from the last ten minutes: the password and the second step, or the password alone. */
export type StepUp = true | 'password'

type Rules<Subject, Who> = Readonly<{
  findConflict: (db: Prisma.TransactionClient, row: Subject, party: Who) => Promise<string | null>
  mfaFirst: boolean
}>

/** @throws Problem `forbidden` */
export async function checkProof<Subject, Who extends Readonly<{ kind: string }>>(
  noun: Rules<Subject, Who>,
  tx: Prisma.TransactionClient,
  of: { stepUp: StepUp | undefined; row: Subject; party: Who; actor: Actor; now: Date },
): Promise<void> {
  const { stepUp, row, party, actor, now } = of
  if (party.kind === 'reviewer') {
    const message = await noun.findConflict(tx, row, party)
    if (message) throw new Problem('forbidden', { message })
  }
  const isStaff = party.kind === 'reviewer' || party.kind === 'ops'
  if (isStaff && (noun.mfaFirst || !stepUp)) requireMfa(actor)
  if (stepUp === 'password') requirePassword(actor, now)
  else if (stepUp) requireStepUp(actor, now)
}
