/** The facts behind a request's risk, read for many requests at once. */
import type { PrismaClient, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { parseScopes } from '../../contract/smart/scopes.ts'
import type { RegistrationForm } from '../../contract/workflows/registration-form.ts'
import {
  confidentialClasses,
  confidentialTypes,
  newOrganizationDays,
  type Risk,
  type RiskFactId,
  riskOf,
} from '../../contract/workflows/review-risk.ts'

const dayMs = 86_400_000
const leakDays = 365

type Holds = Partial<Record<RiskFactId, boolean>>

/** The facts about an organization. */
export type OrganizationFacts = Readonly<{
  createdAt: Date
  verifiedDomains: readonly string[]
  leaked: boolean
  /** The ids of its rejected requests. */
  rejectedIds: readonly string[]
}>

export async function readOrganizationFacts(
  prisma: PrismaClient,
  organizationIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, OrganizationFacts>> {
  const rows = await prisma.$queryRaw<(OrganizationFacts & { id: string })[]>`
    SELECT o.id, o.created_at AS "createdAt",
           ARRAY(SELECT d.domain FROM portal.organization_domain d
                  WHERE d.organization_id = o.id AND d.verified_at IS NOT NULL) AS "verifiedDomains",
           EXISTS (SELECT FROM portal.api_key k WHERE k.organization_id = o.id
                      AND k.leaked_at >= ${new Date(now.getTime() - leakDays * dayMs)}) AS leaked,
           ARRAY(SELECT r.id FROM portal.registration r WHERE r.organization_id = o.id AND r.state = 'rejected'
                 UNION ALL
                 SELECT p.id FROM portal.production_key_request p
                  WHERE p.organization_id = o.id AND p.state = 'rejected') AS "rejectedIds"
      FROM portal.organization o WHERE o.id = ANY (${organizationIds}::uuid[])`
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

function ofOrganization(id: string, facts: OrganizationFacts, now: Date): Holds {
  return {
    new_organization: now.getTime() - facts.createdAt.getTime() < newOrganizationDays * dayMs,
    leaked_before: facts.leaked,
    rejected_before: facts.rejectedIds.some((rejectedId) => rejectedId !== id),
  }
}

/** @param form null for a request about limits or a term, which has no form */
export function riskOfRegistration(
  { id, form }: Readonly<{ id: string; form: RegistrationForm | null }>,
  facts: OrganizationFacts,
  now: Date,
): Risk {
  return riskOf({ ...ofOrganization(id, facts, now), ...(form && ofForm(form, facts)) })
}

function ofForm(form: RegistrationForm, { verifiedDomains }: OrganizationFacts): Holds {
  const scopes = resourceScopes(form.scope)
  const website = hostOf(form.website)
  return {
    no_person: scopes.some(({ context }) => context === 'system'),
    whole_record: scopes.some(({ type }) => type === '*'),
    confidential_data: scopes.some(({ type }) => confidentialTypes.some((name) => name === type)),
    unverified_domain: website === null || !verifiedDomains.some((domain) => isWithin(website, domain)),
    foreign_redirect:
      website !== null &&
      form.redirectUris.some((address) => {
        const host = hostOf(address)
        return host !== null && !isLoopback(host) && !isWithin(host, website.replace(/^www\./, ''))
      }),
  }
}

function resourceScopes(text: string) {
  try {
    return parseScopes(text).scopes.flatMap((scope) => (scope.kind === 'resource' ? [scope] : []))
  } catch {
    return [] // the linter reports invalid scopes
  }
}

/** The host of an http or https URL; null for others, such as an app's own scheme. */
function hostOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? hostname.toLowerCase() : null
}

const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)
const isLoopback = (host: string) => host === 'localhost' || host === '127.0.0.1' || host === '[::1]'

export function riskOfProductionKey(
  request: Pick<ProductionKeyRequest, 'id' | 'level' | 'state' | 'dataClasses'>,
  facts: OrganizationFacts,
  now: Date,
): Risk {
  return riskOf({
    ...ofOrganization(request.id, facts, now),
    writes: request.level === 'full',
    held: request.state === 'security_hold',
    confidential_data: request.dataClasses.some((used) => confidentialClasses.some((name) => name === used)),
  })
}

export function riskOfSandboxKey(
  request: Readonly<{ id: string; flags: readonly string[] }>,
  facts: OrganizationFacts,
  now: Date,
): Risk {
  return riskOf({ ...ofOrganization(request.id, facts, now), flagged: request.flags.length > 0 })
}
