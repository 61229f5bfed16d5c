/**
 * The sandbox practice of an organization, for those of its members who build. The only way of the portal's laboratory
 * to clinical data: whatever is asked, a production practice and another organization's are not found by it.
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { labRoles } from '../../contract/lab/sandbox-changes.ts'
import { requireRole } from '../../domain/organizations/membership.ts'

export type OwnSandbox = Readonly<{ id: string; slug: string; name: string; datasetId: number }>

type Asker = { organizationId: string; accountId: string }

/**
 * @returns null while the organization has none
 * @throws Problem `not_found` for who is no member, `forbidden` for a viewer
 */
export async function findOwnSandbox(db: Prisma.TransactionClient, asker: Asker): Promise<OwnSandbox | null> {
  await requireRole(db, asker, labRoles)
  return db.practice.findFirst({
    where: {
      organizationId: asker.organizationId,
      environment: 'sandbox',
      purpose: 'organization_sandbox',
    },
    select: { id: true, slug: true, name: true, datasetId: true },
  })
}

/** @throws Problem as `findOwnSandbox`, and `not_found` while there is none */
export async function getOwnSandbox(db: Prisma.TransactionClient, asker: Asker): Promise<OwnSandbox> {
  const practice = await findOwnSandbox(db, asker)
  if (practice === null) throw new Problem('not_found', { message: 'This organization has no sandbox yet.' })
  return practice
}
