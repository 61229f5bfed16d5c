/** Finds the app of a request at a practice, and checks that it may be used there. */
import type { Client, PrismaClient } from '../../../prisma/generated/client/client.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { appStoppedSql, clientAtPracticeSql } from '../../store/liveness.ts'
import type { SmartPractice } from '../practices/fhir-access.ts'

/** Null for an unknown app, and for an app of another environment. */
export async function findClientAt(
  db: Pick<PrismaClient, 'client'>,
  practice: SmartPractice,
  clientId: string,
): Promise<Client | null> {
  if (clientId.length > 128 || clientId.includes('\0')) return null
  const client = await db.client.findUnique({ where: { id: clientId } })
  return client?.environment === practice.environment && client.removedAt === null ? client : null
}

/** The slug of the sandbox of an app's organization, if the app may be used there; else null. */
export async function findOwnSandbox(
  db: Pick<PrismaClient, 'practice'>,
  { environment, organizationId, audience }: Client,
): Promise<string | null> {
  if (environment !== 'sandbox' || organizationId === null) return null
  const practice = await db.practice.findUnique({
    where: { organizationId_environment: { organizationId, environment } },
  })
  if (practice?.purpose !== 'organization_sandbox') return null
  const isOpen = practice.fhirEnabled && practice.fhirAudiences.includes(audience)
  return isOpen ? practice.slug : null
}

type Database = Pick<PrismaClient, '$queryRawUnsafe'>

/** @throws Problem `client_not_at_practice` */
export async function checkClientAtPractice(
  db: Database,
  client: Client,
  practice: SmartPractice,
): Promise<void> {
  if (!(await holds(db, clientAtPracticeSql, client, practice))) throw refuse('client_not_at_practice')
}

/** @throws Problem `access_stopped` */
export async function checkNotStopped(db: Database, client: Client, practice: SmartPractice): Promise<void> {
  if (await isStopped(db, client, practice)) throw refuse('access_stopped')
}

/** Whether the practice has stopped the app, its organization or all access. */
export const isStopped = (db: Database, client: Client, practice: SmartPractice) =>
  holds(db, appStoppedSql, client, practice)

/** Whether a condition of the client `c` and the practice `p` is true. */
async function holds(db: Database, condition: string, client: Client, practice: SmartPractice) {
  const [row] = await db.$queryRawUnsafe<{ holds: boolean }[]>(
    `SELECT ${condition} AS holds FROM portal.client c, portal.practice p WHERE c.id = $1 AND p.id = $2::uuid`,
    client.id,
    practice.id,
  )
  return row?.holds === true
}
