/** Figures with the names of their keys and apps. The caller checks the reader's role. */

import { uuidPattern } from '../../contract/http/uuid.ts'
import { typeClasses } from '../../contract/keys/class-coverage.ts'
import { useDays } from '../../contract/portal/access-use.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import {
  type Figures,
  ranked,
  type Subject,
  subjectKey,
  sumBySubject,
  sumOf,
  type UseDay,
} from './figures.ts'

type Use = NamedSubject &
  Readonly<{
    label: string
    figures: Figures
    refused: number
    classes: readonly string[]
    sources: readonly Source[]
  }>

type Source = Readonly<{ network: string; calls: number }>

/** The use of each subject, the most calls first. */
export async function describeUse(core: Core, days: readonly UseDay[]): Promise<Use[]> {
  const bySubject = sumBySubject(days)
  const subjects = [...bySubject.values()].map(({ subject }) => subject)
  const names = await nameSubjects(core, subjects)
  return [...bySubject]
    .flatMap(([key, { figures }]) => {
      const named = names.get(key)
      if (!named) return []
      return {
        ...named,
        label: audienceLabel(named),
        figures,
        refused: sumOf(figures.refusals),
        classes: classesRead(figures),
        sources: ranked(figures.networks).map(([network, calls]) => ({ network, calls })),
      }
    })
    .sort((a, b) => b.figures.calls - a.figures.calls || (a.name < b.name ? -1 : 1))
}

/** A type can belong to several data classes. All of them are named, because the log does not distinguish them. */
const classesRead = ({ types }: Figures): string[] =>
  [...new Set(Object.keys(types).flatMap((type) => typeClasses(type) ?? [type]))].sort()

export function lastDays({ clock }: Pick<Core, 'clock'>) {
  const until = clock().toISOString().slice(0, 10)
  return { from: addDays(until, 1 - useDays), until }
}

// Names of keys, apps and backend systems. The caller checks the reader's role.

const audiences = {
  key: 'Key',
  backend: 'Backend system',
  patient: 'Patient app',
  clinician: 'Clinician app',
} as const
type Audience = keyof typeof audiences

type NamedSubject = Subject &
  Readonly<{
    name: string
    organizationName: string
    /** `key`, or the audience of the app. Keys and backend systems have one caller; other apps have many. */
    audience: Audience
    /** The prefix of a single key; else null. */
    prefix: string | null
    deleted: boolean
  }>

const audienceLabel = ({ audience }: Pick<NamedSubject, 'audience'>) => audiences[audience]

/** The columns of an access log's row that name the reader. */
type Principal = Readonly<{ principalKind: string; principalId: string; clientId: string | null }>

/** The key or app of a row; null for a person in the portal. The row of a token request names only the app. */
export function subjectOf({ principalKind, principalId, clientId }: Principal): Subject | null {
  if (clientId !== null) return { kind: 'app', id: clientId }
  if (principalKind === 'api_key') return { kind: 'key', id: principalId }
  return principalKind === 'smart_token' || principalKind === 'backend_token'
    ? { kind: 'app', id: principalId }
    : null
}

/**
 * @param subjects may name a key by the id of its production request or by its own
 * @returns an entry for each subject, by its `subjectKey`; a key with a production request is named as that request
 */
export async function nameSubjects({ prisma }: Pick<Core, 'prisma'>, subjects: readonly Subject[]) {
  const idsOf = (subjectKind: Subject['kind']) => [
    ...new Set(subjects.flatMap(({ kind, id }) => (kind === subjectKind ? [id] : []))),
  ]
  const ids = idsOf('key').filter((id) => uuidPattern.test(id))
  const organization = { select: { name: true } } as const
  const [requests, keys, clients] = await Promise.all([
    prisma.productionKeyRequest.findMany({
      where: { OR: [{ id: { in: ids } }, { keys: { some: { id: { in: ids } } } }] },
      select: { id: true, name: true, organization },
    }),
    prisma.apiKey.findMany({
      where: { id: { in: ids } },
      select: { id: true, name: true, prefix: true, productionRequestId: true, organization },
    }),
    prisma.client.findMany({
      where: { id: { in: idsOf('app') } },
      select: { id: true, name: true, audience: true, organization },
    }),
  ])
  const requestsById = new Map(requests.map((row) => [row.id, row]))
  const keysById = new Map(keys.map((row) => [row.id, row]))
  const clientsById = new Map(clients.map((row) => [row.id, row]))
  return new Map(
    subjects.map((subject) => {
      const client = subject.kind === 'app' ? clientsById.get(subject.id) : undefined
      const key = subject.kind === 'key' ? keysById.get(subject.id) : undefined
      const request = requestsById.get(key?.productionRequestId ?? (subject.kind === 'key' ? subject.id : ''))
      const row = client ?? request ?? key
      const named = {
        kind: subject.kind,
        id: request?.id ?? subject.id,
        name: row?.name ?? 'Deleted',
        organizationName: row?.organization?.name ?? 'Sandpiper',
        audience: subject.kind === 'key' ? 'key' : (client?.audience ?? 'patient'),
        prefix: key?.prefix ?? null,
        deleted: row === undefined,
      } as const
      return [subjectKey(subject), named]
    }),
  )
}
