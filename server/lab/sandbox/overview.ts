/** The sandbox of an organization at a glance, for those of its members who build. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { labRoles } from '../../contract/lab/sandbox-changes.ts'
import { everyMember, requireRole } from '../../domain/organizations/membership.ts'
import type { OrganizationSandboxes } from '../../domain/practices/organization-sandbox.ts'
import type { PracticeData } from '../../domain/practices/practice-data.ts'
import type { Datasets } from '../../store/store.ts'
import type { SandboxChanges, ShownChange } from './changes.ts'
import { findOwnSandbox } from './own-sandbox.ts'

type Dependencies = {
  prisma: PrismaClient
  sandboxes: Pick<OrganizationSandboxes, 'ensure'>
  datasets: Pick<Datasets, 'find' | 'counts'>
  practiceData: Pick<PracticeData, 'findSnapshot'>
  changes: Pick<SandboxChanges, 'list'>
}

type Asker = { organizationId: string; accountId: string }

type SandboxOverview = Readonly<{
  practiceId: string
  slug: string
  name: string
  people: number
  /** Of all types. */
  resources: number
  /** It shares the seed's data until a `full` key may write. */
  shared: boolean
  /** When the snapshot was saved, and how large it is; null without one. */
  snapshot: Readonly<{ savedAt: Date; resources: number }> | null
  /** The newest first; the first may be running. */
  changes: readonly ShownChange[]
}>

export function createSandboxOverview(dependencies: Dependencies) {
  const { prisma, sandboxes, datasets, practiceData, changes } = dependencies

  /**
   * @returns null while the organization has no sandbox
   * @throws Problem `not_found` for who is no member, `forbidden` for a viewer
   */
  async function get(asker: Asker): Promise<SandboxOverview | null> {
    const practice = await findOwnSandbox(prisma, asker)
    if (practice === null) return null
    const [dataset, counts, snapshot, listed] = await Promise.all([
      datasets.find(practice.datasetId),
      datasets.counts(practice.datasetId),
      practiceData.findSnapshot(practice.id),
      changes.list(practice.id),
    ])
    const size = snapshot && sum(await datasets.counts(snapshot.id))
    return {
      practiceId: practice.id,
      slug: practice.slug,
      name: practice.name,
      people: counts.Patient ?? 0,
      resources: sum(counts),
      shared: dataset?.kind === 'template',
      snapshot: snapshot && { savedAt: snapshot.createdAt, resources: size ?? 0 },
      changes: listed,
    }
  }

  /** Makes the sandbox of an organization that has none yet. @throws Problem as `get` */
  async function open(asker: Asker): Promise<void> {
    await requireRole(prisma, asker, labRoles)
    await sandboxes.ensure(asker.organizationId, { writable: false })
  }

  /**
   * Where the organization's sandbox is reached, for every member.
   * @returns null while the organization has no sandbox
   * @throws Problem `not_found` for who is no member
   */
  async function findSlug(asker: Asker): Promise<string | null> {
    await requireRole(prisma, asker, everyMember)
    const where = { environment: 'sandbox', purpose: 'organization_sandbox' } as const
    const practice = await prisma.practice.findFirst({
      where: { organizationId: asker.organizationId, ...where },
      select: { slug: true },
    })
    return practice?.slug ?? null
  }

  return { get, open, findSlug }
}

function sum(counts: Readonly<Record<string, number | undefined>>): number {
  return Object.values(counts).reduce<number>((total, count) => total + (count ?? 0), 0)
}
