/** Creates practices. They are empty; an invitation gives them their first admin. */
import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { AuditActor } from '../../audit/portal-audit.ts'
import { Problem } from '../../contract/http/problems.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Core } from '../core.ts'

type NewPractice = { slug: string; name: string; environment: 'sandbox' | 'production' }

/**
 * Creates a practice without records. Its FHIR API is off until an admin turns it on. If the process ends halfway, an
 * empty dataset is left, which a tick deletes.
 * @throws Problem `conflict` if the slug is taken
 */
export async function createPractice(
  { prisma, store: { datasets }, clock, portalAudit }: Core,
  { slug, name, environment }: NewPractice,
  by: AuditActor,
  detail: Prisma.InputJsonObject = {},
): Promise<{ id: string }> {
  if (await prisma.practice.findUnique({ where: { slug }, select: { id: true } })) throw taken()
  const datasetId = await datasets.create({
    name: `${slug} ${randomUUID()}`,
    kind: 'practice',
    source: 'empty',
  })
  await datasets.markReady(datasetId)
  try {
    return await prisma.$transaction(async (tx) => {
      const practice = await tx.practice.create({
        data: {
          slug,
          name,
          environment,
          fhirEnabled: false,
          inDirectory: true,
          purpose: 'office',
          datasetId,
          createdAt: clock(),
        },
        select: { id: true },
      })
      await portalAudit.append(tx, {
        ...by,
        practiceId: practice.id,
        action: 'practice.created',
        subject: { kind: 'practice', id: practice.id },
        detail: { ...detail, slug, environment },
      })
      return practice
    })
  } catch (error) {
    await datasets.remove(datasetId)
    throw isUniqueViolation(error) ? taken() : error
  }
}

const taken = () =>
  new Problem('conflict', {
    field: 'slug',
    message: 'Another practice has this ID. Choose a different one.',
  })
