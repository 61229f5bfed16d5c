/**
 * The public directory of practices with a FHIR API. It lists active practices whose FHIR API is on and that want to be
 * listed.
 */

import { z } from 'zod'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { identifierSystems } from '../../contract/fhir/codes.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'
import { fold } from '../../contract/text/fold.ts'
import type { Store } from '../../store/store.ts'
import type { Core } from '../core.ts'
import { practiceSlugPattern } from '../practices/fhir-access.ts'
import { publicPracticeName } from '../practices/organization-sandbox.ts'

export type Environment = 'sandbox' | 'production'

export type DirectoryEntry = Readonly<{
  slug: string
  name: string
  environment: Environment
  /** The National Provider Identifier; null if the practice's record has none. */
  npi: string | null
  address: Readonly<{
    lines: readonly string[]
    city: string
    state: string
    postalCode: string
  }> | null
  phone: string | null
  /** When this entry last changed. */
  changedAt: Date
}>

/** The lists are cached this long, because they are read far more often than they change. */
const freshMs = 60_000

export function createDirectory({ prisma, store, clock }: Core) {
  const lists = new Map<Environment, { readAt: number; entries: Promise<readonly DirectoryEntry[]> }>()

  /** The practice of a FHIR base, even if it is not listed or its API is off; null if there is none. */
  async function findBase(slug: string) {
    if (!practiceSlugPattern.test(slug)) return null
    const practice = await prisma.practice.findUnique({
      where: { slug },
      select: { slug: true, name: true, environment: true, purpose: true },
    })
    return practice && { slug, name: publicPracticeName(practice), environment: practice.environment }
  }

  /** The entries, by name. */
  function list(environment: Environment): Promise<readonly DirectoryEntry[]> {
    const now = clock().getTime()
    const known = lists.get(environment)
    if (known !== undefined && now - known.readAt < freshMs) return known.entries
    const entries = readEntries({ environment, inDirectory: true })
    lists.set(environment, { readAt: now, entries })
    // A failed read is not cached.
    entries.catch(() => lists.delete(environment))
    return entries
  }

  /**
   * The sandboxes of the account's organizations. They are only listed for members, and not cached, so that a member who
   * has left finds nothing.
   */
  function listOwn(accountId: string): Promise<readonly DirectoryEntry[]> {
    return readEntries({
      environment: 'sandbox',
      purpose: 'organization_sandbox',
      organization: { members: { some: { accountId, account: { disabledAt: null } } } },
    })
  }

  async function readEntries(where: Prisma.PracticeWhereInput & { environment: Environment }) {
    const { environment } = where
    const practices = await prisma.practice.findMany({
      where: { ...where, state: 'active', fhirEnabled: true },
      select: { slug: true, name: true, datasetId: true, createdAt: true },
      orderBy: [{ name: 'asc' }, { slug: 'asc' }],
    })
    const organizations = await readOrganizations(
      store,
      practices.map(({ datasetId }) => datasetId),
    )
    return practices.map(({ slug, name, datasetId, createdAt }) => {
      const organization = organizations.get(datasetId)
      return {
        slug,
        name,
        environment,
        npi: organization?.npi ?? null,
        address: organization?.address ?? null,
        phone: organization?.phone ?? null,
        changedAt: organization && organization.changedAt > createdAt ? organization.changedAt : createdAt,
      }
    })
  }

  /**
   * Entries whose name contains every word of the text, whose NPI it is, or whose postal code it begins. An empty text
   * matches all.
   * @param accountId the signed-in developer, whose own sandboxes come first
   */
  async function search(environment: Environment, text: string, accountId: string | null = null) {
    const own = environment === 'sandbox' && accountId !== null ? await listOwn(accountId) : []
    const entries = [...own, ...(await list(environment))]
    const words = fold(text).split(' ').filter(Boolean)
    if (words.length === 0) return entries
    const number = text.replace(/\s/g, '')
    return entries.filter(({ name, npi, address }) => {
      const folded = fold(name)
      if (words.every((word) => folded.includes(word))) return true
      if (!/^\d[\d-]*$/.test(number)) return false
      return npi === number || (address?.postalCode.startsWith(number) ?? false)
    })
  }

  return { findBase, list, listOwn, search }
}

export type Directory = ReturnType<typeof createDirectory>

// The details of a practice come from its own data: the Organization that manages its Endpoint.
const endpointType: FhirType = 'Endpoint'
const organizationType: FhirType = 'Organization'

const endpoint = z.object({ managingOrganization: z.object({ reference: z.string() }) })

const organization = z.object({
  meta: z.object({ lastUpdated: z.coerce.date() }),
  identifier: z.array(z.object({ system: z.string().optional(), value: z.string().optional() })).default([]),
  telecom: z.array(z.object({ system: z.string().optional(), value: z.string().optional() })).default([]),
  address: z
    .array(
      z.object({
        line: z.array(z.string()).default([]),
        city: z.string().default(''),
        state: z.string().default(''),
        postalCode: z.string().default(''),
      }),
    )
    .default([]),
})

/** The organizations by dataset, read with two statements. Datasets without one are left out. */
async function readOrganizations(
  store: Pick<Store, 'readAcross' | 'findAcross'>,
  datasetIds: readonly number[],
): Promise<ReadonlyMap<number, OrganizationFacts>> {
  const distinct = [...new Set(datasetIds)]
  const endpoints = await store.readAcross(distinct, endpointType)
  const managing = [...endpoints].flatMap(([datasetId, texts]) =>
    texts.flatMap((text) => {
      const managed = endpoint.safeParse(JSON.parse(text))
      const [type, id] = managed.data?.managingOrganization.reference.split('/') ?? []
      return type === organizationType && id !== undefined ? [{ datasetId, type: organizationType, id }] : []
    }),
  )
  const texts = await store.findAcross(managing)
  const facts = new Map<number, OrganizationFacts>()
  for (const [place, { datasetId }] of managing.entries()) {
    const text = texts[place]
    if (facts.has(datasetId) || text === null || text === undefined) continue
    const parsed = organization.safeParse(JSON.parse(text))
    if (parsed.success) facts.set(datasetId, toFacts(parsed.data))
  }
  return facts
}

type OrganizationFacts = ReturnType<typeof toFacts>

function toFacts({ meta, identifier, telecom, address: [first] }: z.output<typeof organization>) {
  return {
    npi: identifier.find(({ system }) => system === identifierSystems.nationalProvider)?.value ?? null,
    phone: telecom.find(({ system }) => system === 'phone')?.value ?? null,
    address: first
      ? { lines: first.line, city: first.city, state: first.state, postalCode: first.postalCode }
      : null,
    changedAt: meta.lastUpdated,
  }
}
