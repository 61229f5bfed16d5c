/**
 * Every organization has its own sandbox practice. It points at the shared template dataset until the first `full` key,
 * which may write, gives it a copy (decision 0010).
 */
import { createHash } from 'node:crypto'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import type { Core } from '../core.ts'
import { movePractice } from './move-practice.ts'
import { ensureStandingPeople } from './standing-people.ts'

export type SandboxPractice = { id: string; slug: string; name: string; datasetId: number }

/**
 * Returns the organization's sandbox practice, and creates the missing parts. It may end at any point and run again:
 * `deleteUnusedCopies` deletes a copy that no practice points at.
 */
export async function ensure(core: Core, organizationId: string, { writable }: { writable: boolean }) {
  const {
    store: { datasets },
    prisma,
  } = core
  const template = await templatePractice(core)
  const practice = await findOrCreate(core, organizationId, template.datasetId)
  await addPeople(core, practice)
  if (!writable || practice.datasetId !== template.datasetId) return practice
  const copy = await datasets.copy(template.datasetId, { name: practice.slug, kind: 'practice' })
  const move = { practiceId: practice.id, from: template.datasetId, to: copy, replaces: false }
  if (await prisma.$transaction((tx) => movePractice(tx, move))) return { ...practice, datasetId: copy }
  await datasets.remove(copy) // a concurrent request has put its own copy in place
  return prisma.practice.findUniqueOrThrow({ where: { id: practice.id }, select: practiceFields })
}

/** A busy server must not delay a key or an app: the page with the sign-ins adds missing people later. */
async function addPeople(core: Core, practice: SandboxPractice): Promise<void> {
  const complete = await core.prisma.practice.count({
    where: { id: practice.id, sealedPeoplePassword: { not: null } },
  })
  if (complete > 0) return
  try {
    await ensureStandingPeople(core, practice)
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.kind !== 'unavailable') throw thrown
  }
}

async function templatePractice({ prisma }: Core): Promise<SandboxPractice> {
  const template = await prisma.practice.findFirst({
    where: { purpose: 'template' },
    select: practiceFields,
  })
  if (!template) throw new Problem('unavailable', { detail: 'no template practice: the seed has not run' })
  return template
}

async function findOrCreate({ prisma, clock }: Core, organizationId: string, datasetId: number) {
  const where = { organizationId_environment: { organizationId, environment: 'sandbox' as const } }
  const existing = await prisma.practice.findUnique({ where, select: practiceFields })
  if (existing) return existing
  const organization = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })
  await prisma.practice.createMany({
    data: {
      slug: sandboxSlug(organizationId),
      name: `${organization.name} sandbox`,
      environment: 'sandbox',
      fhirEnabled: true,
      inDirectory: false,
      purpose: 'organization_sandbox',
      datasetId,
      organizationId,
      createdAt: clock(),
    },
    skipDuplicates: true, // two requests at once make one practice
  })
  return prisma.practice.findUniqueOrThrow({ where, select: practiceFields })
}

/** Deletes copies from before `before` that no practice points at, left by an interrupted request. */
export async function deleteUnusedCopies({ prisma, store: { datasets } }: Core, before: Date) {
  const used = await prisma.practice.findMany({ distinct: ['datasetId'], select: { datasetId: true } })
  const unused = await datasets.listUnused({
    kind: 'practice',
    usedIds: used.map((row) => row.datasetId),
    before,
  })
  for (const id of unused) await datasets.remove(id)
  return unused.length
}

/**
 * The slug of an organization's new sandbox. The public `/metadata` responds at every existing base, so the slug must not
 * follow from the organization's name. The id is random and on no public page. The URL is disclosed only to a request
 * with a redirect URI or a proof of one of the organization's apps.
 */
export function sandboxSlug(organizationId: string): string {
  return `sandbox-${createHash('sha256').update(`sandbox of ${organizationId}`).digest('hex').slice(0, 20)}`
}

/** A practice's public name, which does not disclose the organization of a sandbox. */
export function publicPracticeName({ name, purpose }: { name: string; purpose: string }): string {
  return purpose === 'organization_sandbox' ? 'Developer sandbox' : name
}

const practiceFields = { id: true, slug: true, name: true, datasetId: true } as const
