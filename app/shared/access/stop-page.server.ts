/** What pages on which access is stopped share. */
import type { Actor } from '../../../server/domain/actor.ts'
import type { Services } from '../../../server/services.ts'

/** What the reader is about to stop. */
export async function findStopToConfirm(
  { practiceStops }: Pick<Services, 'practiceStops'>,
  practice: { id: string; name: string },
  { scope, target }: { scope: string | null; target: string },
  actor: Actor,
) {
  if (scope === 'everything') return { scope, target: practice.id, name: practice.name } as const
  if (scope !== 'app' && scope !== 'key' && scope !== 'organization') return null
  const name = await practiceStops.findName(practice.id, { scope, id: target }, actor)
  return name === null ? null : ({ scope, target, name } as const)
}

/** The list as it was, without the question that has been answered. */
export function withoutStopQuery(path: string): string {
  const [pathname = '', search = ''] = path.split('?')
  const query = new URLSearchParams(search)
  for (const name of ['confirm', 'stop', 'target']) query.delete(name)
  return query.size === 0 ? pathname : `${pathname}?${query}`
}
