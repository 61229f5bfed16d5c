/** The standing sign-ins of an organization's sandbox, with their password, for its developers. */
import { sandboxSignIns, signInAddress } from '../../contract/lab/sandbox-sign-ins.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import {
  ensureStandingPeople,
  readPeoplePassword,
  resetPeoplePassword,
} from '../../domain/practices/standing-people.ts'
import { getOwnSandbox } from './changes.ts'

type Asker = Readonly<{ organizationId: string; accountId: string }>

/**
 * Adds the missing ones, then lists all in the order of the table.
 * @throws Problem `not_found` for a non-member or without a sandbox, `forbidden` for a viewer, `unavailable`
 */
export async function list(core: Core, asker: Asker) {
  const sandbox = await getOwnSandbox(core.prisma, asker)
  await ensureStandingPeople(core, sandbox)
  const password = await readPeoplePassword(core, sandbox)
  if (password === null) throw new Error(`sandbox ${sandbox.slug} has no people`)
  const people = sandboxSignIns.map((signIn) => ({
    email: signInAddress(signIn.localPart, sandbox.slug),
    signIn,
  }))
  return { slug: sandbox.slug, password, people }
}

/** Sets a new password for all of them and ends their sessions. @throws Problem as `list` */
export async function resetPassword(core: Core, organizationId: string, actor: Actor): Promise<void> {
  const sandbox = await getOwnSandbox(core.prisma, { organizationId, accountId: actor.accountId })
  await ensureStandingPeople(core, sandbox)
  await resetPeoplePassword(core, sandbox, { organizationId, by: core.portalAudit.by(actor) })
}
