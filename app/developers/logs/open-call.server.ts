import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import type { nameCallers, readerOf } from './log-query.ts'

type Keys = LoaderFunctionArgs['context']['services']['keys']
type Row = Awaited<ReturnType<Keys['activity']>>['rows'][number]

interface Found {
  calls: readonly (Row & { caller: string })[]
  reader: ReturnType<typeof readerOf>
  nameOf: ReturnType<typeof nameCallers>
}

/** The call that the address names, from the page or from the log, with what is known of it. */
export async function findOpenCall(args: LoaderFunctionArgs, { calls, reader, nameOf }: Found) {
  const correlationId = new URL(args.request.url).searchParams.get('call')
  if (correlationId === null) return null
  const { organization, actor } = await getOrganization(args)
  const { keys, assertionDoctor } = args.context.services
  const onPage = calls.find((call) => call.correlationId === correlationId)
  const [row] = onPage ? [onPage] : (await keys.activity({ ...reader, correlationId, limit: 1 })).rows
  if (!row) return null
  const { keyId, clientId, refusal } = row
  const replayed =
    clientId !== null && refusal !== null
      ? await assertionDoctor.replay({ clientId, correlationId }, actor).catch((thrown: unknown) => {
          if (isProblem(thrown) && thrown.kind === 'not_found') return null
          throw thrown
        })
      : null
  return {
    call: { ...row, caller: nameOf(row) },
    callerPage: keyId
      ? paths.organizationKey(organization.slug, keyId)
      : clientId && paths.appFaults(organization.slug, clientId),
    attempt: replayed,
  }
}
