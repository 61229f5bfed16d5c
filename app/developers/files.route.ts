/** Downloads of an organization's pages: its log, and presets of test kits. */
import { data } from '@remix-run/server-runtime'
import { infernoPreset, isInfernoKit } from '../../server/contract/lab/inferno-kits.ts'
import { attachment } from '../lib/attachment.ts'
import { csvFile } from '../lib/csv.ts'
import { getOrganization, type PageArgs, page } from '../services.server.ts'
import { readActivityQuery } from '../shared/activity/activity-query.ts'
import { filterOf, nameCallers, readerOf } from './logs/log.server.ts'

const json = 'application/json; charset=utf-8'

export const loader = page((args) => (args.params.preset === undefined ? fileOfLog(args) : presetOfKit(args)))

/** The preset of a test kit, with a placeholder for each secret. */
async function presetOfKit(args: PageArgs): Promise<Response> {
  const { organization, actor } = await getOrganization(args)
  const kit = (args.params.preset ?? '').replace(/\.json$/, '')
  if (!isInfernoKit(kit)) throw data(null, { status: 404 })
  const facts = await args.context.services.inferno.describe(organization.id, actor)
  return attachment(infernoPreset(kit, { ...facts, secrets: {} }), {
    name: `inferno-${kit}.json`,
    type: json,
  })
}

const logHeads = [
  'at',
  'caller',
  'method',
  'route',
  'status',
  'refusal',
  'ip',
  'fromBrowser',
  'durationMs',
  'correlationId',
  'clientCorrelationId',
  'count',
] as const

/** The log with the page's filters, newest first. */
async function fileOfLog(args: PageArgs): Promise<Response> {
  const { organization, mine } = await getOrganization(args)
  const { keys, clock } = args.context.services
  const query = readActivityQuery(args.request.url)
  const nameOf = nameCallers(await keys.listCallers(mine))
  const calls = keys.activityFile({ ...readerOf(query, mine), ...filterOf(query, clock()) })
  return csvFile(`log-${organization.slug}`, logHeads, calls, (call) => ({
    ...call,
    caller: nameOf(call),
    refusal: call.refusalReason,
    durationMs: Math.round(call.durationMs * 10) / 10,
  }))
}
