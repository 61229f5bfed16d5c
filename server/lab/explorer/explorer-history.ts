/**
 * What each person asked in the explorer, for themselves alone: the shape of a request, never what stood in a body, in
 * an id or in a search for people. The last ten, for thirty days.
 */
import { limits } from '../../contract/http/limits.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { storableText } from '../../contract/text/storable-text.ts'
import type { Core } from '../../domain/core.ts'
import type { ExplorerSession } from './explorer-practices.ts'

export type KeptQuery = Readonly<Record<string, string | readonly string[]>>

export type KeptRequest = Readonly<{
  method: string
  /** The pattern of the path, or the name of a tool. */
  path: string
  /** As it was sent, a list where a name is given several times; what may name a person is left out before it is kept. */
  query: KeptQuery
  /** Names only. */
  headers: readonly string[]
  body: boolean
}>

type NewExplorerCall = Readonly<{
  interface: 'rest' | 'fhir' | 'mcp'
  operation: string
  practiceSlug: string
  level: string
  status: number
  durationMs: number
  correlationId: string | null
  request: KeptRequest
}>

/** Parameters whose values don't identify anyone. */
const keptValues = new Set(['limit', 'offset', '_count', '_sort', '_summary', '_include', '_revinclude'])
/** In place of every other value. */
const leftOut = '…'

/** A link can contain arbitrary text. */
const namesMax = 50
const textMax = 100

const dayMs = 86_400_000

/** Stores a call's shape, at most ten per person; none of a visitor's. */
export async function keep(
  { prisma, clock }: Core,
  session: ExplorerSession,
  { request, correlationId, ...call }: NewExplorerCall,
): Promise<void> {
  if (session === null) return
  const { accountId } = session
  await prisma.explorerCall.create({
    data: {
      ...call,
      accountId,
      at: clock(),
      correlationId: correlationId !== null && uuidPattern.test(correlationId) ? correlationId : null,
      request: { ...request, headers: [...request.headers], query: redact(request.query) },
    },
    select: { id: true },
  })
  await prisma.$executeRaw`
      DELETE FROM portal.explorer_call WHERE id IN (
        SELECT id FROM portal.explorer_call WHERE account_id = ${accountId}::uuid
        ORDER BY at DESC, id DESC OFFSET ${limits.explorerCallsKept})`
}

/** Newest first. */
export async function list({ prisma, clock }: Core, accountId: string) {
  const rows = await prisma.explorerCall.findMany({
    where: { accountId, at: { gt: oldest(clock()) } },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: limits.explorerCallsKept,
  })
  return rows.map(({ accountId: _, request, ...row }) => ({
    ...row,
    request: request as unknown as KeptRequest,
  }))
}

/** Null if it doesn't exist, is too old or belongs to someone else. */
export async function find({ prisma, clock }: Core, accountId: string, id: string) {
  if (!uuidPattern.test(id)) return null
  const row = await prisma.explorerCall.findFirst({
    where: { id, accountId, at: { gt: oldest(clock()) } },
  })
  return row && { ...row, request: row.request as unknown as KeptRequest }
}

/** @returns how many calls of the person were deleted */
export async function forget({ prisma }: Core, accountId: string): Promise<number> {
  const { count } = await prisma.explorerCall.deleteMany({ where: { accountId } })
  return count
}

/** Tick. @returns how many went */
export async function forgetOld({ prisma }: Core, now: Date): Promise<number> {
  const { count } = await prisma.explorerCall.deleteMany({ where: { at: { lte: oldest(now) } } })
  return count
}

const oldest = (now: Date): Date => new Date(now.getTime() - limits.explorerCallDays * dayMs)

function redact(query: KeptQuery): KeptQuery {
  return Object.fromEntries(
    Object.entries(query)
      .slice(0, namesMax)
      .map(([name, value]) => {
        const storable = (text: string) => (keptValues.has(name) ? storableText(text, textMax) : leftOut)
        const values = typeof value === 'string' ? storable(value) : value.slice(0, namesMax).map(storable)
        return [storableText(name, textMax), values]
      }),
  )
}
