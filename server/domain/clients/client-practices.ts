/** At which practices an app may be used, when it is not for every one of its environment. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { Core, Verb } from '../core.ts'
import type { Clients } from './client-types.ts'

export const enableAt: Verb<Clients['enableAt']> = async (core, { clientId, practiceId }, by) => {
  const { prisma, clock } = core
  const client = await prisma.client.findFirst({ where: { id: clientId, removedAt: null } })
  const practice = uuidPattern.test(practiceId)
    ? await prisma.practice.findUnique({ where: { id: practiceId } })
    : null
  if (!client || practice?.environment !== client.environment) throw new Problem('not_found')
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.clientPractice.createMany({
      data: { clientId, practiceId, enabledAt: clock() },
      skipDuplicates: true,
    })
    if (count > 0) await auditAt(core, tx, { clientId, practiceId }, by, 'client.enabled')
  })
}

export const disableAt: Verb<Clients['disableAt']> = async (core, { clientId, practiceId }, by) => {
  const { prisma } = core
  if (!uuidPattern.test(practiceId)) return
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.clientPractice.deleteMany({ where: { clientId, practiceId } })
    if (count > 0) await auditAt(core, tx, { clientId, practiceId }, by, 'client.disabled')
  })
}

async function auditAt(
  { portalAudit }: Core,
  tx: Prisma.TransactionClient,
  { clientId, practiceId }: { clientId: string; practiceId: string },
  by: Parameters<Clients['enableAt']>[1],
  action: string,
): Promise<void> {
  await portalAudit.append(tx, {
    ...(by ? portalAudit.by(by) : portalAudit.system()),
    practiceId,
    action,
    subject: { kind: 'client', id: clientId },
  })
}
