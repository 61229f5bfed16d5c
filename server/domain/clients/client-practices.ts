/** At which practices an app may be used, when it is not for every one of its environment. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { Clients } from './client-types.ts'
import type { ClientDependencies } from './dependencies.ts'

export function createClientPractices({
  prisma,
  clock,
  portalAudit,
}: Pick<ClientDependencies, 'prisma' | 'clock' | 'portalAudit'>): Pick<Clients, 'enableAt' | 'disableAt'> {
  const enableAt: Clients['enableAt'] = async ({ clientId, practiceId }, by) => {
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
      if (count > 0) await auditAt(tx, { clientId, practiceId }, by, 'client.enabled')
    })
  }

  const disableAt: Clients['disableAt'] = async ({ clientId, practiceId }, by) => {
    if (!uuidPattern.test(practiceId)) return
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.clientPractice.deleteMany({ where: { clientId, practiceId } })
      if (count > 0) await auditAt(tx, { clientId, practiceId }, by, 'client.disabled')
    })
  }

  async function auditAt(
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

  return { enableAt, disableAt }
}
