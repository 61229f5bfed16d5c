/** Who asks in the explorer: a signed-in developer with the second step behind them, or a visitor. */
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import type { ExplorerCaller } from '../../../server/lab/explorer/explorer-calls.ts'
import { findSession, visitorOf } from '../../services.server.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** Null for visitors, and for people who have not completed the second step. */
export async function findDeveloper(args: Args) {
  const session = await findSession(args, 'developer')
  return session === null || session.mfaState === 'needed' ? null : session
}

export async function explorerCaller(args: Args): Promise<ExplorerCaller> {
  return {
    session: await findDeveloper(args),
    context: visitorOf(args),
    callApi: args.context.callApi,
  }
}

interface PracticeChoice {
  readonly slug: string
  readonly name: string
  readonly shared: boolean
  /** False until it is first called. */
  readonly isMade: boolean
  readonly organizationSlug: string | null
  readonly levels: readonly ('read_only' | 'full')[]
}

/**
 * What the reader may call, and what they chose in the address; the first where that is nothing of theirs.
 * @param options.writes the operation is refused to a read-only key: a full one is proposed where the reader has one
 */
export async function practiceChoices(
  args: Args,
  { writes = false }: { writes?: boolean } = {},
): Promise<{
  practices: readonly PracticeChoice[]
  practice: PracticeChoice
  level: 'read_only' | 'full'
}> {
  const found = await args.context.services.explorerKeys.listPractices(await findDeveloper(args))
  const practices = found.map(({ id, slug, name, organizationId, organizationSlug, levels }) => ({
    slug,
    name,
    shared: organizationId === null,
    isMade: id !== null,
    organizationSlug,
    levels,
  }))
  const query = new URL(args.request.url).searchParams
  const chosen = practices.find(({ slug }) => slug === query.get('practice'))
  const writable = practices.find(({ levels }) => levels.includes('full'))
  const practice = chosen ?? (writes ? writable : undefined) ?? practices[0]
  if (practice === undefined) throw data(null, { status: 503 })
  const asked = query.get('level') ?? (writes ? 'full' : 'read_only')
  const level = asked === 'full' && practice.levels.includes('full') ? 'full' : 'read_only'
  return { practices, practice, level }
}
