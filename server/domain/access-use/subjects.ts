/** The names behind the figures: a key or the request it came from, an app or backend system. */
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { Core } from '../core.ts'
import { type Subject, subjectKey } from './figures.ts'

export type NamedSubject = Subject &
  Readonly<{
    name: string
    organizationName: string
    /** Of an app: whose records it reads. Keys and backend systems have one caller; apps of people have many. */
    audience: 'key' | 'system' | 'people'
  }>

const audiences = { key: 'Key', system: 'Backend system', people: 'App of people' } as const
export const audienceLabel = ({ audience }: Pick<NamedSubject, 'audience'>) => audiences[audience]

/** @returns by `subjectKey`, for each of them: one that was deleted is called so */
export async function nameSubjects(
  { prisma }: Pick<Core, 'prisma'>,
  subjects: readonly Subject[],
): Promise<Map<string, NamedSubject>> {
  const ids = [
    ...new Set(subjects.flatMap(({ kind, id }) => (kind === 'key' && uuidPattern.test(id) ? [id] : []))),
  ]
  const clientIds = [...new Set(subjects.flatMap(({ kind, id }) => (kind === 'app' ? [id] : [])))]
  const organization = { select: { name: true } } as const
  const [requests, keys, clients] = await Promise.all([
    prisma.productionKeyRequest.findMany({
      where: { id: { in: ids } },
      select: { id: true, name: true, organization },
    }),
    prisma.apiKey.findMany({ where: { id: { in: ids } }, select: { id: true, name: true, organization } }),
    prisma.client.findMany({
      where: { id: { in: clientIds } },
      select: { id: true, name: true, audience: true, organization },
    }),
  ])
  const byId = new Map([...keys, ...requests].map((row) => [row.id, row]))
  const clientsById = new Map(clients.map((row) => [row.id, row]))
  return new Map(
    subjects.map((subject) => {
      const client = subject.kind === 'app' ? clientsById.get(subject.id) : undefined
      const row = client ?? byId.get(subject.id)
      const audience = subject.kind === 'key' ? 'key' : client?.audience === 'backend' ? 'system' : 'people'
      const named = {
        ...subject,
        name: row?.name ?? 'Deleted',
        organizationName: row?.organization?.name ?? 'Sandpiper',
        audience,
      } as const
      return [subjectKey(subject), named]
    }),
  )
}
