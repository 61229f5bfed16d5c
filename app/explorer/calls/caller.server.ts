/** Who asks in the explorer: a signed-in developer with the second step behind them, or a visitor. */
import { data } from '@remix-run/server-runtime'
import { readAnswerHead } from '../../../server/contract/http/answer-head.ts'
import { limits } from '../../../server/contract/http/limits.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { ExplorerCaller } from '../../../server/lab/explorer/explorer-calls.ts'
import { findSession, type PageArgs, visitorOf } from '../../services.server.ts'
import type { ExplorerPage } from '../page.ts'
import { toLastCall } from './last-call.ts'

/** Null for visitors, and for people who have not completed the second step. */
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

/** What every page of the explorer shows of its reader. */
export async function readCommon(args: PageArgs): Promise<Pick<ExplorerPage, 'signedIn' | 'history'>> {
  const session = await findDeveloper(args)
  const calls = session ? await args.context.services.explorerHistory.list(session.accountId) : []
  const { explorerCallsKept: callsMax, explorerCallDays: days } = limits
  return { signedIn: session !== null, history: { calls: calls.map(toLastCall), callsMax, days } }
}

/** The line of the history that the address names, if it is the reader's own and a call of this interface. */
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

/** Page with the activity of a minted key; null for the key that visitors share, which has none. */
export function activityOf(
  { keyId, practice }: { keyId: string; practice: { slug: string } },
  practices: readonly { slug: string; organizationSlug: string | null }[],
): string | null {
  const slug = practices.find((each) => each.slug === practice.slug)?.organizationSlug ?? null
  return slug === null ? null : paths.logs(slug, { caller: `key:${keyId}` })
}

/**
 * What the reader may call, and what they chose in the address; the first where that is nothing of theirs.
 * @param options.writes the operation is refused to a read-only key: a full one is proposed where the reader has one
 */
export async function practiceChoices(args: PageArgs, { writes = false }: { writes?: boolean } = {}) {
  const practices = await args.context.services.explorerKeys.listPractices(await findDeveloper(args))
  const query = new URL(args.request.url).searchParams
  const chosen = practices.find(({ slug }) => slug === query.get('practice'))
  const writable = practices.find(({ levels }) => levels.includes('full'))
  const practice = chosen ?? (writes ? writable : undefined) ?? practices[0]
  if (practice === undefined) throw data(null, { status: 503 })
  const wantedLevel = query.get('level') ?? (writes ? 'full' : 'read_only')
  const mayWrite = wantedLevel === 'full' && practice.levels.includes('full')
  return { practices, practice, level: mayWrite ? ('full' as const) : ('read_only' as const) }
}

/** A longer response is cut: more than that is of no use on a page. */
export const shownMax = 200_000

export type HereAnswer = Awaited<ReturnType<typeof callHere>>

/**
 * One request to this very server, in this process: it passes every interface as any other does.
 * @param url of one of our interfaces, built from the contract, never from typed text
 */
export async function callHere(
  { context }: PageArgs,
  url: string,
  headers: Record<string, string>,
  body?: string,
) {
  const begun = performance.now()
  const method = body === undefined ? 'GET' : 'POST'
  const request = new Request(url, { method, headers, ...(body !== undefined && { body }) })
  const answer = await context.callApi(request)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return {
    ...readAnswerHead(answer.headers),
    status: answer.status,
    durationMs: Math.round(performance.now() - begun),
    bytes: bytes.length,
    text: new TextDecoder().decode(bytes),
  }
}
