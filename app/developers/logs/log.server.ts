import { isProblem } from '../../../server/contract/http/problems.ts'
import { logStart } from '../../../server/contract/keys/key-life.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { getOrganization, type PageArgs } from '../../services.server.ts'
import type { ActivityQuery } from '../../shared/activity/activity-query.ts'

/** Narrows the log to the key or app in the filter, if there is one. */
export function readerOf<M extends { organizationId: string; accountId: string }>(
  { caller }: ActivityQuery,
  member: M,
) {
  const [, kind, id = ''] = /^(key|app):(.+)$/u.exec(caller ?? '') ?? []
  if (kind === 'key') return { ...member, keyId: id }
  return kind === 'app' ? { ...member, clientId: id } : member
}

export function filterOf({ caller: _caller, within, ...filter }: ActivityQuery, now: Date) {
  return { ...filter, ...(within && { from: logStart(within, now) }) }
}

type NewCall = Pick<Row, 'status' | 'method' | 'route' | 'refusal' | 'correlationId' | 'clientCorrelationId'>

/** Whether a request that has just come belongs on the filtered page. */
export function fits(
  call: NewCall,
  { status, method, route, refusal, correlationId }: ActivityQuery,
): boolean {
  if (status === 'refused' && call.refusal === null) return false
  if (typeof status === 'number' && call.status !== status) return false
  if (/^\dxx$/.test(String(status)) && Math.floor(call.status / 100) !== Number(String(status)[0]))
    return false
  if (method !== undefined && call.method !== method) return false
  if (route !== undefined && call.route !== route) return false
  if (refusal !== undefined && call.refusal !== refusal) return false
  return correlationId === undefined || [call.correlationId, call.clientCorrelationId].includes(correlationId)
}

/** Names of callers, by key id, client ID, or the prefix that a request claimed. */
export function nameCallers(callers: {
  keys: readonly { id: string; name: string; prefix: string }[]
  apps: readonly { id: string; name: string }[]
}) {
  const names = new Map([...callers.keys, ...callers.apps].map(({ id, name }) => [id, name]))
  const claimed = new Map(callers.keys.map(({ prefix, name }) => [prefix, `Invalid key like ${name}`]))
  return (call: { keyId: string | null; clientId: string | null; claimedPrefix: string | null }) =>
    names.get(call.keyId ?? call.clientId ?? '') ??
    claimed.get(call.claimedPrefix ?? '') ??
    (call.keyId ? 'Explorer' : 'Unknown key')
}

type Keys = PageArgs['context']['services']['keys']
type Row = Awaited<ReturnType<Keys['activity']>>['rows'][number]

interface LogContext {
  calls: readonly (Row & { caller: string })[]
  reader: ReturnType<typeof readerOf>
  nameOf: ReturnType<typeof nameCallers>
}

/** The call in the URL, with its caller's page and its assertion if that was refused; null if it isn't in the log. */
export async function findOpenCall(args: PageArgs, { calls, reader, nameOf }: LogContext) {
  const correlationId = new URL(args.request.url).searchParams.get('call')
  if (correlationId === null) return null
  const { organization, actor } = await getOrganization(args)
  const { keys, assertionDoctor } = args.context.services
  const onPage = calls.find((call) => call.correlationId === correlationId)
  const [row] = onPage ? [onPage] : (await keys.activity({ ...reader, correlationId, limit: 1 })).rows
  if (!row) return null
  const { keyId, clientId, refusal } = row
  const attempt =
    clientId !== null && refusal !== null
      ? await assertionDoctor.findAttempt({ clientId, correlationId }, actor).catch((thrown: unknown) => {
          if (isProblem(thrown) && thrown.kind === 'not_found') return null
          throw thrown
        })
      : null
  return {
    call: { ...row, caller: nameOf(row) },
    callerPage: keyId
      ? paths.organizationKey(organization.slug, keyId)
      : clientId && paths.app(organization.slug, clientId),
    attempt,
  }
}
