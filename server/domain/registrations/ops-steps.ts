/** What operations do with an enabled app: suspend, reinstate, retire; and probe again what could not be enabled. */
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/problems.ts'
import { aboutOf, findOwners, findReaders, organizationNameOf } from './mail-props.ts'
import type { RegistrationReviews } from './registration-types.ts'
import type { RegistrationRooms } from './rooms.ts'
import { checkWords } from './submissions.ts'

type OpsSteps = Pick<RegistrationReviews, 'suspend' | 'reinstate' | 'retire' | 'retry'>

export function createOpsSteps({ walk, jobs }: RegistrationRooms): OpsSteps {
  const suspend: OpsSteps['suspend'] = async ({ reason, evidence, ...target }, actor) => {
    const words = checkWords('reason', reason, actor)
    const shown = checkWords('evidence', evidence, actor)
    await walk.step(target, 'suspend', actor, async ({ tx, row, now }) => {
      await setClient(tx, row, { suspendedAt: now })
      return {
        text: words,
        detail: { evidence: shown },
        mails: async () => {
          const about = await aboutOf(tx, row)
          const at = now.toISOString()
          const organizationName = await organizationNameOf(tx, row)
          const practices = row.productionClientId ? await findPractices(tx, row.productionClientId) : []
          return [
            ...(await findOwners(tx, row)).map((reader) => ({
              template: 'registration-suspended' as const,
              to: reader.email,
              props: { ...about(reader), reason: words, at },
            })),
            ...practices.map(({ name, email, practiceName }) => ({
              template: 'registration-suspended-practice' as const,
              to: email,
              props: { name, practiceName, appName: row.name, organizationName, at, requestId: row.id },
            })),
          ]
        },
      }
    })
  }

  const reinstate: OpsSteps['reinstate'] = async ({ reason, ...target }, actor) => {
    const words = checkWords('reason', reason, actor)
    await walk.step(target, 'reinstate', actor, async ({ tx, row }) => {
      await setClient(tx, row, { suspendedAt: null })
      return {
        text: words,
        mails: async () => {
          const about = await aboutOf(tx, row)
          return (await findOwners(tx, row)).map((reader) => ({
            template: 'registration-reinstated' as const,
            to: reader.email,
            props: { ...about(reader), reason: words },
          }))
        },
      }
    })
  }

  const retire: OpsSteps['retire'] = async ({ reason, ...target }, actor) => {
    const words = checkWords('reason', reason, actor)
    await walk.step(target, 'retire', actor, async ({ tx, row, now }) => {
      await setClient(tx, row, { removedAt: now })
      return {
        data: { endedAt: now },
        text: words,
        mails: async () => {
          const about = await aboutOf(tx, row)
          const readers = await findOwners(tx, row)
          return (readers.length > 0 ? readers : await findReaders(tx, row)).map((reader) => ({
            template: 'registration-retired' as const,
            to: reader.email,
            props: { ...about(reader), reason: words },
          }))
        },
      }
    })
  }

  const retry: OpsSteps['retry'] = async ({ reason, ...target }, actor) => {
    const words = checkWords('reason', reason, actor)
    await walk.step(target, 'retry', actor, async ({ tx, row, now }) => {
      await jobs.add(tx, 'enable-registration', { registrationId: row.id }, { jobKey: `enable:${row.id}` })
      return { data: { probeAttempts: 0, probeDueAt: now }, text: words }
    })
  }

  return { suspend, reinstate, retire, retry }
}

/** The production registration; requests that are not about an app have none to suspend. */
async function setClient(
  tx: Prisma.TransactionClient,
  { productionClientId }: Pick<Registration, 'productionClientId'>,
  data: { suspendedAt: Date | null } | { removedAt: Date },
): Promise<void> {
  if (!productionClientId) throw new Problem('conflict', { message: 'This request is not about an app.' })
  await tx.client.update({ where: { id: productionClientId }, data })
}

/** Admins of practices at which somebody let the app in, each person and practice once. */
async function findPractices(tx: Prisma.TransactionClient, clientId: string) {
  const rows = await tx.practiceMembership.findMany({
    where: {
      role: 'admin',
      account: { disabledAt: null },
      practice: { grants: { some: { clientId, revokedAt: null } } },
    },
    select: { account: { select: { name: true, email: true } }, practice: { select: { name: true } } },
    orderBy: [{ practiceId: 'asc' }, { accountId: 'asc' }],
  })
  return rows.map(({ account, practice }) => ({ ...account, practiceName: practice.name }))
}
