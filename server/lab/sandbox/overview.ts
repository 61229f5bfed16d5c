/** The sandbox of an organization at a glance, for those of its members who build. */
import { labRoles } from '../../contract/lab/sandbox-changes.ts'
import type { Core } from '../../domain/core.ts'
import { everyMember, requireRole } from '../../domain/organizations/membership.ts'
import * as sandboxes from '../../domain/practices/organization-sandbox.ts'
import * as practiceData from '../../domain/practices/practice-data.ts'
import * as changes from './changes.ts'
import { findOwnSandbox } from './changes.ts'

type Asker = { organizationId: string; accountId: string }

/**
 * @returns null while the organization has no sandbox
 * @throws Problem `not_found` for who is no member, `forbidden` for a viewer
 */
export async function get(core: Core, asker: Asker) {
  const {
    prisma,
    store: { datasets },
  } = core
  const practice = await findOwnSandbox(prisma, asker)
  if (practice === null) return null
  const [dataset, counts, snapshot, listed] = await Promise.all([
    datasets.find(practice.datasetId),
    datasets.counts(practice.datasetId),
    practiceData.findSnapshot(core, practice.id),
    changes.list(core, practice.id),
  ])
  const size = snapshot && sum(await datasets.counts(snapshot.id))
  return {
    practiceId: practice.id,
    slug: practice.slug,
    name: practice.name,
    people: counts.Patient ?? 0,
    /** Of all types. */
    resources: sum(counts),
    /** It shares the seed's data until a `full` key may write. */
    shared: dataset?.kind === 'template',
    /** When the snapshot was saved, and how large it is; null without one. */
    snapshot: snapshot && { savedAt: snapshot.createdAt, resources: size ?? 0 },
    /** The newest first; the first may be running. */
    changes: listed,
  }
}

/** Makes the sandbox of an organization that has none yet. @throws Problem as `get` */
export async function open(core: Core, asker: Asker): Promise<void> {
  const { prisma } = core
  await requireRole(prisma, asker, labRoles)
  await sandboxes.ensure(core, asker.organizationId, { writable: false })
}

/**
 * Where the organization's sandbox is reached, for every member.
 * @returns null while the organization has no sandbox
 * @throws Problem `not_found` for who is no member
 */
export async function findSlug({ prisma }: Core, asker: Asker): Promise<string | null> {
  await requireRole(prisma, asker, everyMember)
  const where = { environment: 'sandbox', purpose: 'organization_sandbox' } as const
  const practice = await prisma.practice.findFirst({
    where: { organizationId: asker.organizationId, ...where },
    select: { slug: true },
  })
  return practice?.slug ?? null
}

const sum = (counts: Readonly<Record<string, number | undefined>>): number =>
  Object.values(counts).reduce<number>((total, count) => total + (count ?? 0), 0)
