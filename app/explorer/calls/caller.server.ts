/** The explorer's caller: a developer who has completed two-step sign-in, or a visitor. */
import { data } from '@remix-run/server-runtime'
import { readAnswerHead } from '../../../server/contract/http/answer-head.ts'
import { limits } from '../../../server/contract/http/limits.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { ExplorerCaller } from '../../../server/lab/explorer/explorer-calls.ts'
import { findSession, type PageArgs, visitorOf } from '../../services.server.ts'
import type { ExplorerPage } from '../page.ts'
import { toLastCall } from './last-call.ts'

/** The developer's session; null for visitors, and for people who have not completed two-step sign-in. */
export async function findDeveloper(args: PageArgs) {
  const session = await findSession(args, 'developer')
  return session === null || session.mfaState === 'needed' ? null : session
}

export async function explorerCaller(args: PageArgs): Promise<ExplorerCaller> {
  return {
    session: await findDeveloper(args),
    context: visitorOf(args),
    callApi: args.context.callApi,
  }
}

/** The reader's data on every page of the explorer. */
export async function readCommon(args: PageArgs): Promise<Pick<ExplorerPage, 'signedIn' | 'history'>> {
  const session = await findDeveloper(args)
  const calls = session ? await args.context.services.explorerHistory.list(session.accountId) : []
  const { explorerCallsKept: callsMax, explorerCallDays: days } = limits
  return { signedIn: session !== null, history: { calls: calls.map(toLastCall), callsMax, days } }
}

/** The call of the history in the URL, if it is the reader's own and a call of this API. */
export async function findStoredCall(
  { context, request }: PageArgs,
  session: Awaited<ReturnType<typeof findDeveloper>>,
  api: 'fhir' | 'mcp',
) {
  const id = new URL(request.url).searchParams.get('call')
  if (id === null || session === null) return null
  const call = await context.services.explorerHistory.find(session.accountId, id)
  return call?.interface === api ? call : null
}

/** The page with the calls of a key; null for the visitors' shared key, which has none. */
export function activityOf(
  { keyId, practice }: { keyId: string; practice: { slug: string } },
  practices: readonly { slug: string; organizationSlug: string | null }[],
): string | null {
  const slug = practices.find((candidate) => candidate.slug === practice.slug)?.organizationSlug ?? null
  return slug === null ? null : paths.logs(slug, { caller: `key:${keyId}` })
}

/**
 * The practices that the reader may call, and the one in the URL, or else the first.
 * @param options.writes the operation needs a full key, so a practice with one is preferred
 */
export async function practiceChoices(args: PageArgs, { writes = false }: { writes?: boolean } = {}) {
  const practices = await args.context.services.explorerKeys.listPractices(await findDeveloper(args))
  const query = new URL(args.request.url).searchParams
  const chosen = practices.find(({ slug }) => slug === query.get('practice'))
  const writable = practices.find(({ levels }) => levels.includes('full'))
  const practice = chosen ?? (writes ? writable : undefined) ?? practices[0]
  if (practice === undefined) throw data(null, { status: 503 })
  const chosenLevel = query.get('level') ?? (writes ? 'full' : 'read_only')
  const mayWrite = chosenLevel === 'full' && practice.levels.includes('full')
  return { practices, practice, level: mayWrite ? ('full' as const) : ('read_only' as const) }
}

/** A longer response is cut: more than that is of no use on a page. */
export const shownMax = 200_000

export type HereAnswer = Awaited<ReturnType<typeof callHere>>

/**
 * Sends a request to this server, in the same process. It passes the same checks as any other request.
 * @param url a URL of our APIs, built from the contract and never from typed text
 */
export async function callHere(
  { context }: PageArgs,
  url: string,
  headers: Record<string, string>,
  body?: string,
) {
  const startedAt = performance.now()
  const method = body === undefined ? 'GET' : 'POST'
  const request = new Request(url, { method, headers, ...(body !== undefined && { body }) })
  const answer = await context.callApi(request)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return {
    ...readAnswerHead(answer.headers),
    status: answer.status,
    durationMs: Math.round(performance.now() - startedAt),
    bytes: bytes.length,
    text: new TextDecoder().decode(bytes),
  }
}
