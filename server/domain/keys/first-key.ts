/** Creates the organization, the request and the key of a person without an organization, from one form. */
import { isProblem } from '../../contract/http/problems.ts'
import { paths } from '../../contract/portal/paths.ts'
import { findNameFault, tidyName } from '../../contract/text/public-name.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { create as createOrganization } from '../organizations/profile.ts'
import { type RevealedKey, reveal } from './claims.ts'
import {
  provision,
  refuseWrongInput,
  requestSandboxKey,
  type SandboxKeyRequestInput,
} from './key-requests.ts'

type FirstKeyInput = Omit<SandboxKeyRequestInput, 'organizationId' | 'name' | 'technicalContact'> & {
  organizationName: string
}

/**
 * The technical contact is the person's own address. If the process ends between two steps, the request goes on like any
 * other: by its job, or by a claim from the list of keys. The same form sent twice creates one organization and one key.
 * @returns the key; or the page on which the request goes on: under review, or claimable with the password
 * @throws Problem `validation`, `conflict` (the person belongs to an organization already), `unavailable`
 */
export async function takeFirstKey(
  core: Core,
  { organizationName, ...input }: FirstKeyInput,
  actor: Actor,
): Promise<RevealedKey | { kind: 'elsewhere'; path: string }> {
  const { prisma } = core
  const { email } = await prisma.account.findUniqueOrThrow({ where: { id: actor.accountId } })
  const form = { ...input, name: nameOf(input.projectDescription), technicalContact: email }
  refuseWrongInput(core, form, actor)
  const { id: organizationId, slug } = await findOrCreate(core, { organizationName, ...input }, actor)
  const { requestId } = await requestSandboxKey(core, { ...form, organizationId }, actor, { first: true })
  await provision(core, requestId, actor.correlationId, { first: true })
  const claim = await reveal(core, { requestId }, actor)
  if (claim.kind === 'revealed') return claim
  const path =
    claim.kind === 'step_up_needed' ? paths.claimKeyRequest(requestId) : paths.organizationKeys(slug)
  return { kind: 'elsewhere', path }
}

async function findOrCreate(
  core: Core,
  { organizationName, idempotencyKey }: Pick<FirstKeyInput, 'organizationName' | 'idempotencyKey'>,
  actor: Actor,
): Promise<{ id: string; slug: string }> {
  try {
    return await createOrganization(core, { name: organizationName }, actor, { first: true })
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.kind !== 'conflict') throw thrown
    const repeated = await core.prisma.organization.findFirst({
      where: {
        createdById: actor.accountId,
        OR: [{ keyRequests: { some: { idempotencyKey } } }, { keyRequests: { none: {} } }],
      },
      select: { id: true, slug: true },
    })
    if (!repeated) throw thrown
    return repeated
  }
}

/** Takes the key's name from the description's first words. It ends before a clause, never in “which shows the”. */
function nameOf(description: string): string {
  const words = /^[^.,:;\n]{1,40}(?=\s|[.,:;]|$)/u.exec(description)?.[0] ?? ''
  const name = tidyName(
    words.replace(/\s(?:(?:which|that|who|for|to|with|and)\b.*|(?:an?|the|of|in|on|at|by))$/iu, ''),
  )
  return name === '' || findNameFault(name) !== null ? 'First key' : name
}
