/** Verifies the audit chain: all rows, all signed heads, and the heads in each folder. */
import type { AuditHead, PrismaClient } from '../../prisma/generated/client/client.ts'
import type { Keyring } from '../keyring.ts'
import type { AccessVerdict } from './access-seal.ts'
import { chainStart, isKeyed, matchesChainHash } from './chain.ts'
import { type HeadLine, hexOf, isSignedHead, toUnsigned } from './head.ts'
import type { HeadFolder } from './head-folder.ts'

export type Verdict =
  | Readonly<{
      intact: true
      sealed: number
      waiting: number
      heads: number
      /** Number of the last row that a head covers: no earlier row can have been changed or removed. */
      provenTo: string
      /** Rows that earlier releases sealed without a key. */
      unkeyed: number
    }>
  | Readonly<{ intact: false; number: string; reason: string; provenTo: string }>

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  keyring: Keyring
  folders: readonly HeadFolder[]
}

/** A running server seals rows within seconds and signs a head every minute. A longer delay is a fault. */
const lateAfterMs = 5 * 60_000

class Broken extends Error {
  readonly number: bigint
  constructor(number: bigint, reason: string) {
    super(reason)
    this.number = number
  }
}

export async function verifyChain(dependencies: Dependencies): Promise<Verdict> {
  const progress = { provenTo: 0n }
  try {
    return await checkAll(dependencies, progress)
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    const { number, message } = error
    return { intact: false, number: `${number}`, reason: message, provenTo: `${progress.provenTo}` }
  }
}

async function checkAll(
  { prisma, clock, keyring, folders }: Dependencies,
  progress: { provenTo: bigint },
): Promise<Verdict> {
  const late = { at: { lt: new Date(clock().getTime() - lateAfterMs) } }
  const { heads, contents } = await readHeads({ prisma, keyring, folders })
  const { sealed, unkeyed, unkeyedAfterKeyed } = await walk({ prisma, heads, keyring, progress })
  for (const content of contents) refuseDifference(content, keyring)
  if (unkeyedAfterKeyed > progress.provenTo)
    throw new Broken(unkeyedAfterKeyed, 'the row was sealed without a key')
  const uncovered = await prisma.auditEvent.findFirst({
    where: { ...late, chainNumber: { gt: progress.provenTo } },
    orderBy: { chainNumber: 'asc' },
  })
  if (uncovered)
    throw new Broken(
      uncovered.chainNumber ?? 0n,
      heads.length === 0 ? 'no head covers the chain' : 'no head was signed since the row was written',
    )
  const unsealed = await prisma.auditEvent.findFirst({ where: { ...late, chainNumber: null } })
  if (unsealed) throw new Broken(sealed + 1n, `the row written at ${unsealed.at.toISOString()} is not sealed`)
  return {
    intact: true,
    sealed: Number(sealed),
    waiting: await prisma.auditEvent.count({ where: { chainNumber: null } }),
    heads: heads.length,
    provenTo: `${progress.provenTo}`,
    unkeyed,
  }
}

type FolderContent = Readonly<{
  folder: HeadFolder
  /** Heads that were written to the folder and are missing. */
  missing: readonly AuditHead[]
  /** Lines of the folder that the database does not know. */
  unknown: readonly HeadLine[]
}>

/**
 * The heads of the database, and where each folder differs. A running server writes the database first, then the folder,
 * then notes in the database that it did: so each folder is read before the database and again after it.
 */
async function readHeads({ prisma, keyring, folders }: Omit<Dependencies, 'clock'>) {
  const before = await Promise.all(folders.map((folder) => folder.readAll()))
  const heads = await prisma.auditHead.findMany({ orderBy: { sequence: 'asc' } })
  const after = await Promise.all(folders.map((folder) => folder.readAll()))
  refuseUnsigned(heads, keyring)
  const bySequence = new Map(heads.map((head) => [head.sequence, head]))
  const gaps = heads.filter(({ sequence, follows }) => sequence > follows + 1n)
  const isAccepted = (line: HeadLine) =>
    isSignedHead(line, keyring) &&
    gaps.some((gap) => BigInt(line.sequence) > gap.follows && BigInt(line.sequence) < gap.sequence)
  const contents = folders.map((folder, index) => {
    const present = new Set(after[index]?.map(({ mac }) => mac))
    return {
      folder,
      missing: heads.filter((head) => head.writtenTo.includes(folder.name) && !present.has(hexOf(head.mac))),
      unknown: (before[index] ?? []).filter((line) => {
        const head = bySequence.get(BigInt(line.sequence))
        return head ? hexOf(head.mac) !== line.mac : !isAccepted(line)
      }),
    }
  })
  return { heads, contents }
}

function refuseUnsigned(heads: readonly AuditHead[], keyring: Keyring): void {
  let before: AuditHead | undefined
  for (const head of heads) {
    if (head.follows !== (before?.sequence ?? 0n))
      throw new Broken(head.chainNumber, `a head before head ${head.sequence} is missing in the database`)
    if (!isSignedHead({ ...toUnsigned(head, before?.mac), mac: hexOf(head.mac) }, keyring))
      throw new Broken(head.chainNumber, `head ${head.sequence} ${whyNot(head.mac, keyring)}`)
    before = head
  }
}

function refuseDifference({ folder, missing, unknown }: FolderContent, keyring: Keyring): void {
  const [head] = missing
  if (head)
    throw new Broken(
      head.chainNumber,
      `the ${folder.name} head folder lacks ${missing.length} of the heads written to it, the first is head ${head.sequence}`,
    )
  const [line] = unknown
  if (!line) return
  const name = `head ${line.sequence} in the ${folder.name} head folder`
  throw new Broken(
    BigInt(line.number),
    isSignedHead(line, keyring)
      ? `${name}, signed at ${line.at}, is not in the database: it is older than the folder, or rows were removed`
      : `${name} ${whyNot(Buffer.from(line.mac, 'hex'), keyring)}`,
  )
}

function whyNot(mac: Uint8Array, keyring: Keyring): string {
  const keyId = keyring.keyIdOf(mac)
  return keyId === null || keyring.keyIds.includes(keyId)
    ? 'was changed'
    : `needs key ${keyId}, which ENCRYPTION_KEYS does not hold`
}

async function walk(context: {
  prisma: PrismaClient
  heads: readonly AuditHead[]
  keyring: Keyring
  progress: { provenTo: bigint }
}): Promise<{ sealed: bigint; unkeyed: number; unkeyedAfterKeyed: bigint }> {
  let nextHead = 0
  let number = 0n
  let hash: Uint8Array = chainStart
  let unkeyed = 0
  let unkeyedAfterKeyed = 0n
  for (;;) {
    const rows = await context.prisma.auditEvent.findMany({
      where: { chainNumber: { gt: number } },
      orderBy: { chainNumber: 'asc' },
      take: 2_000,
    })
    if (rows.length === 0) break
    for (const { chainHash: stored, chainNumber, ...row } of rows) {
      number += 1n
      if (chainNumber !== number) throw new Broken(number, 'a row is missing')
      if (!stored || !matchesChainHash({ row, number, before: hash }, stored, context.keyring))
        throw new Broken(
          number,
          stored ? `the row ${whyNot(stored, context.keyring)}` : 'the row has no hash',
        )
      hash = stored
      if (!isKeyed(stored)) {
        unkeyed += 1
        if (unkeyed < number) unkeyedAfterKeyed = number
      }
      // Heads cover ever later rows; after a restore two may cover the same one.
      for (
        let head = context.heads[nextHead];
        head?.chainNumber === number;
        head = context.heads[++nextHead]
      ) {
        if (hexOf(head.chainHash) !== hexOf(hash))
          throw new Broken(number, `head ${head.sequence} has another hash for the row`)
        context.progress.provenTo = number
      }
    }
  }
  const beyond = context.heads[nextHead]
  if (beyond) throw new Broken(beyond.chainNumber, `head ${beyond.sequence} covers rows that are gone`)
  return { sealed: number, unkeyed, unkeyedAfterKeyed }
}

/** Losses that an operator can accept: heads missing from a folder, and heads of rows missing from the database. */
export type HeadLoss = NonNullable<Awaited<ReturnType<typeof findHeadLoss>>>

/** @returns null if nothing is lost */
export async function findHeadLoss(dependencies: Omit<Dependencies, 'clock'>) {
  const { heads, contents } = await readHeads(dependencies)
  const folders = contents.map(({ folder, missing, unknown }) => ({
    name: folder.name,
    missing: missing.map(({ sequence }) => sequence),
    unknown: unknown.filter((line) => isSignedHead(line, dependencies.keyring)),
  }))
  if (folders.every(({ missing, unknown }) => missing.length + unknown.length === 0)) return null
  const sequences = folders.flatMap(({ unknown }) => unknown.map(({ sequence }) => BigInt(sequence)))
  return {
    /** The highest sequence of all heads. */
    highest: [...sequences, heads.at(-1)?.sequence ?? 0n].reduce((max, next) => (next > max ? next : max)),
    folders,

    /** The detail of the audit row. */
    detail: {
      folders: folders.map(({ name, missing, unknown }) => ({
        name,
        missingHeads: missing.length,
        unknownHeads: unknown.length,
        lastUnknown: unknown.at(-1) ?? null,
      })),
    },
  }
}

// Describes the results of both verifications for an operator.

export function describeVerdict(verdict: Verdict): string[] {
  const proven = `proven up to row ${verdict.provenTo}`
  if (!verdict.intact) return [`broken at row ${verdict.number}: ${verdict.reason}`, proven]
  const { sealed, waiting, heads, unkeyed } = verdict
  return [
    `intact: ${sealed} rows sealed, ${waiting} waiting, ${heads} heads agree`,
    proven,
    ...(unkeyed > 0
      ? [`${unkeyed} rows were sealed without a key by an earlier release; the heads cover them`]
      : []),
  ]
}

export function describeAccess(verdict: AccessVerdict): string {
  return verdict.intact
    ? `record of access intact: ${verdict.rows} rows in ${verdict.seals} seals, up to row ${verdict.end.access}`
    : `record of access broken at the seal in row ${verdict.seal}: ${verdict.reason}`
}
