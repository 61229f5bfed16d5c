/** Records of the practice that a call can name, found by what they are called. Suggestions: any other id may be typed. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import type { FhirType } from '../../../server/contract/fhir/registry.ts'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import type { RecordKind } from '../../shared/operations/input-kinds.ts'
import { findDeveloper } from '../calls/caller.server.ts'

export type RecordChoices = Readonly<
  Partial<Record<RecordKind, readonly Readonly<{ value: string; display: string }>[]>>
>

const typeOf: Readonly<Partial<Record<RecordKind, FhirType>>> = {
  practitioner: 'Practitioner',
  location: 'Location',
  encounter: 'Encounter',
  document: 'DocumentReference',
}

/**
 * @param practice that is chosen; where it has not been made yet, its records are those of the demonstration
 * @param kinds asked for; none asks nothing
 */
export async function recordChoices(
  args: LoaderFunctionArgs | ActionFunctionArgs,
  practice: { readonly slug: string; readonly isMade: boolean },
  kinds: readonly RecordKind[],
): Promise<RecordChoices> {
  const { explorerTokens, explorerRecords } = args.context.services
  const wanted = [...new Set(kinds)]
  if (wanted.length === 0) return {}
  const developer = await findDeveloper(args)
  const [session, slug] = practice.isMade ? [developer, practice.slug] : [null, null]
  const reader = { accountId: developer?.accountId ?? null, correlationId: args.context.correlationId }
  const place = await explorerTokens.openPractice(session, slug)
  const [person] = sandboxPeople
  const found = wanted.map(async (kind) => {
    const type = typeOf[kind]
    if (type === undefined) return [kind, people(kind)] as const
    return [kind, await explorerRecords.listType(place, type, person?.id ?? '', reader)] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

function people(kind: RecordKind) {
  return sandboxPeople.map(({ id, mrn, name }) => ({ value: kind === 'mrn' ? mrn : id, display: name }))
}
