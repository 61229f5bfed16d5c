/**
 * Emails organizations that call a deprecated operation: once after its announcement, and again before its sunset. An
 * organization that starts to call it later gets the first email then.
 */
import { bulkOperations, type FhirOperationRow, fhirOperations } from '../../contract/fhir/operations.ts'
import {
  type Deprecation,
  deprecationUseDays,
  hasEnded,
  sunsetReminderDays,
} from '../../contract/http/deprecation.ts'
import { mcpOperations } from '../../contract/mcp/operation.ts'
import { type OperationRow, operations } from '../../contract/rest/operations.ts'
import type { Core } from '../core.ts'
import { findMembers } from '../organizations/membership.ts'

const dayMs = 86_400_000

/** A deprecated operation, with its methods and route in the activity log. */
type Ending = Readonly<{
  /** Identifies the operation with its sunset date: a new date causes new emails. */
  key: string
  /** The name of the operation in the email. */
  title: string
  successor: string | null
  deprecation: Deprecation
  methods: readonly string[]
  route: string
}>

const restRows: Readonly<Record<string, OperationRow>> = { ...operations, ...mcpOperations }
const fhirRows: Readonly<Record<string, FhirOperationRow>> = { ...fhirOperations, ...bulkOperations }

/** The Status API is left out, because its callers are anonymous. */
function endingsOf({ deprecations: { rest, tools, fhir } }: Core): Ending[] {
  const keyOf = (place: string, name: string, { sunset }: Deprecation) => `${place} ${name} ${sunset}`
  const restTitle = (name = '') => {
    const row = restRows[name]
    return row ? `${row.method} ${row.path}` : null
  }
  return [
    ...Object.entries(rest).flatMap(([name, deprecation]): Ending[] => {
      const row = restRows[name]
      if (row === undefined) return []
      const { method, path } = row
      const methods = method === 'GET' ? ['GET', 'HEAD'] : [method]
      const successor = restTitle(deprecation.successor)
      const title = `${method} ${path}`
      return [{ key: keyOf('rest', name, deprecation), title, successor, deprecation, methods, route: path }]
    }),
    ...Object.entries(tools).map(
      ([name, deprecation]): Ending => ({
        key: keyOf('tool', name, deprecation),
        title: `MCP tool ${name}`,
        successor: deprecation.successor ?? null,
        deprecation,
        methods: ['POST'],
        route: `/mcp tools/call ${name}`,
      }),
    ),
    ...Object.entries(fhir).flatMap(([name, deprecation]): Ending[] => {
      const row = fhirRows[name]
      if (row === undefined) return []
      const { successor } = deprecation
      return [
        {
          key: keyOf('fhir', name, deprecation),
          title: `${row.type} $${name}`,
          successor: successor === undefined ? null : `$${successor}`,
          deprecation,
          methods: ['GET', 'HEAD'],
          route: `/r4/{practice}/${row.type}${row.level === 'instance' ? '/{id}' : ''}/$${name}`,
        },
      ]
    }),
  ]
}

type Use = { organizationId: string; callers: number; calls: number }

/** The organizations whose keys and apps called the operation in the last days. */
async function findUse({ pool }: Core, { methods, route }: Ending, now: Date): Promise<Use[]> {
  const { rows } = await pool.query<Use>(
    `SELECT coalesce(k.organization_id, c.organization_id) AS "organizationId",
            count(DISTINCT coalesce(a.key_id::text, a.client_id))::int AS callers, sum(a.count)::int AS calls
       FROM log.activity a
       LEFT JOIN portal.api_key k ON k.id = a.key_id
       LEFT JOIN portal.client c ON c.id = a.client_id
      WHERE a.at >= $1 AND a.method = ANY ($2::text[]) AND a.route = $3 AND a.status NOT IN (401, 410)
        AND coalesce(k.organization_id, c.organization_id) IS NOT NULL
      GROUP BY 1`,
    [new Date(now.getTime() - deprecationUseDays * dayMs), methods, route],
  )
  return rows
}

type KeyUse = { operation: string; successor: string | null; sunset: string; calls: number; lastAt: Date }

/** The deprecated operations that a key called in the last days. The caller checks who may see the key. */
export async function findKeyUse(core: Core, keyId: string): Promise<KeyUse[]> {
  const since = new Date(core.clock().getTime() - deprecationUseDays * dayMs)
  const found = await Promise.all(
    endingsOf(core).map(async ({ title, successor, deprecation, methods, route }) => {
      const { rows } = await core.pool.query<{ calls: number; lastAt: Date }>(
        `SELECT sum(count)::int AS calls, max(at) AS "lastAt" FROM log.activity
          WHERE key_id = $1 AND at >= $2 AND method = ANY ($3::text[]) AND route = $4 HAVING count(*) > 0`,
        [keyId, since, methods, route],
      )
      return rows.map((row) => ({ operation: title, successor, sunset: deprecation.sunset, ...row }))
    }),
  )
  return found.flat()
}

/** The tick. @returns the number of emails */
export async function notifyCallers(core: Core, now: Date): Promise<number> {
  let mailed = 0
  for (const ending of endingsOf(core)) {
    if (hasEnded(ending.deprecation, now)) continue
    for (const use of await findUse(core, ending, now)) mailed += await notify(core, ending, use, now)
  }
  return mailed
}

/** The note and the emails are written in one transaction, so that concurrent processes send one email. */
function notify(core: Core, ending: Ending, use: Use, now: Date): Promise<number> {
  const { mail, prisma } = core
  const { key, title, successor, deprecation } = ending
  const { organizationId, callers, calls } = use
  return prisma.$transaction(async (tx) => {
    const kind = await nextKind()
    if (kind === null) return 0
    const noted = await tx.deprecationNotice.createMany({
      data: [{ ending: key, kind, organizationId, at: now }],
      skipDuplicates: true,
    })
    if (noted.count === 0) return 0
    const { slug } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } })
    const members = await findMembers(tx, organizationId, ['owner', 'admin'])
    const { sunset, note } = deprecation
    for (const { email } of members)
      await mail.enqueue(tx, {
        template: 'deprecation-notice',
        to: email,
        props: { kind, operation: title, sunset, note, successor, callers, calls, organizationSlug: slug },
      })
    return members.length

    /** If the first email was sent shortly before the sunset, there is no second one. */
    async function nextKind(): Promise<'announced' | 'ending' | null> {
      const announced = await tx.deprecationNotice.findUnique({
        where: { ending_kind_organizationId: { ending: key, kind: 'announced', organizationId } },
      })
      if (announced === null) return 'announced'
      const remindFrom = new Date(Date.parse(`${deprecation.sunset}T00:00:00Z`) - sunsetReminderDays * dayMs)
      return now >= remindFrom && announced.at < remindFrom ? 'ending' : null
    }
  })
}
