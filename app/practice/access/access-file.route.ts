import type { Access } from '../../../server/domain/practices/practice-access.ts'
import { csvFile } from '../../lib/csv.ts'
import { page } from '../../services.server.ts'
import { decidingRoles, getPractice } from '../practice.server.ts'

const heads = [
  'kind',
  'name',
  'organization',
  'access',
  'purpose',
  'since',
  'lastUsed',
  'state',
  'ends',
] as const

/** All keys, systems and apps with access to a practice as a file, in the page's order. */
export const loader = page(async (args) => {
  const { actor, practice } = await getPractice(args, decidingRoles)
  const pages = args.context.services.practiceConsole.file(practice.id, actor)
  return csvFile(`access-${practice.slug}`, heads, pages, toRow)
})

function toRow(access: Access) {
  const { name, organizationName: organization, since, lastUsedAt: lastUsed } = access
  const common = { name, organization, since, lastUsed }
  switch (access.kind) {
    case 'key':
      return {
        ...common,
        ...{ kind: 'key', access: access.level, purpose: access.purpose },
        ...{ state: access.state, ends: access.expiresAt },
      }
    case 'other_key':
      return {
        ...common,
        ...{ kind: 'key', access: access.level, purpose: '' },
        ...{
          state: access.ended ? 'ended' : access.suspended ? 'suspended' : 'active',
          ends: access.expiresAt,
        },
      }
    case 'system':
      return {
        ...common,
        ...{ kind: 'backend_system', access: 'read_only', purpose: access.purpose },
        ...{ state: access.ended ? 'ended' : 'granted', ends: null },
      }
    case 'app':
      return {
        ...common,
        ...{ kind: `${access.audience}_app`, access: `${access.people} people`, purpose: '' },
        ...{ state: access.ended ? 'ended' : 'allowed', ends: null },
      }
  }
}
