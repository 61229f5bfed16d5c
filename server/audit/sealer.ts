/**
 * Chains the portal's audit rows. Rows commit in another order than that of their ids, so the chain has numbers of its
 * own: one sealer at a time gives the next ones to whatever has been committed since. The head of each day is written
 * to a file, so that not even the owner of the database can take rows from the end, or make another chain, unnoticed.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { chainStart, hashOf } from './chain.ts'

export type Head = Readonly<{ number: string; hash: string; at: string }>

export type Verdict =
  | Readonly<{ intact: true; sealed: number; waiting: number; heads: number }>
  | Readonly<{ intact: false; number: string; reason: string }>

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  /** Folder of the daily heads, outside the database. */
  headFolder: string
}

const batch = 500
const headPattern = /^\d{4}-\d{2}-\d{2}\.json$/

export function createSealer({ prisma, clock, headFolder }: Dependencies) {
  /** Seals what has been committed by now. Of two sealers one does nothing. @returns how many rows */
  async function seal(): Promise<number> {
    for (let sealed = 0; ; ) {
      const count = await sealBatch()
      sealed += count
      if (count < batch) return sealed
    }
  }

  async function sealBatch(): Promise<number> {
    return prisma.$transaction(async (tx) => {
      const [lock] = await tx.$queryRaw<{ taken: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(hashtextextended('sandpiper audit sealer', 0)) AS taken`
      if (!lock?.taken) return 0
      const rows = await tx.auditEvent.findMany({
        where: { chainNumber: null },
        orderBy: { id: 'asc' },
        take: batch,
      })
      if (rows.length === 0) return 0
      const last = await tx.auditEvent.findFirst({
        where: { chainNumber: { not: null } },
        orderBy: { chainNumber: 'desc' },
        select: { chainNumber: true, chainHash: true },
      })
      let number = last?.chainNumber ?? 0n
      let hash: Uint8Array = last?.chainHash ?? chainStart
      const sealed = rows.map((row) => {
        number += 1n
        hash = hashOf(row, number, hash)
        return { id: row.id.toString(), number: number.toString(), hash: Buffer.from(hash).toString('hex') }
      })
      await tx.$executeRaw`
        UPDATE portal.audit_event e SET chain_number = s.number::bigint, chain_hash = decode(s.hash, 'hex')
        FROM json_to_recordset(${JSON.stringify(sealed)}::json) AS s(id text, number text, hash text)
        WHERE e.id = s.id::bigint AND e.chain_number IS NULL`
      return rows.length
    })
  }

  /** The newest head, written once a day; what stands there is never written over. @returns whether it was written */
  async function writeHead(): Promise<boolean> {
    const last = await prisma.auditEvent.findFirst({
      where: { chainNumber: { not: null } },
      orderBy: { chainNumber: 'desc' },
      select: { chainNumber: true, chainHash: true },
    })
    if (!last?.chainHash || last.chainNumber === null) return false
    const at = clock().toISOString()
    const head: Head = {
      number: last.chainNumber.toString(),
      hash: Buffer.from(last.chainHash).toString('hex'),
      at,
    }
    await mkdir(headFolder, { recursive: true })
    try {
      await writeFile(join(headFolder, `${at.slice(0, 10)}.json`), `${JSON.stringify(head)}\n`, {
        flag: 'wx',
        mode: 0o600,
      })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
  }

  /** Computes every hash anew, from the first row on, and holds the daily heads against the chain. */
  async function verify(): Promise<Verdict> {
    const heads = new Map((await readHeads()).map((head) => [head.number, head]))
    let number = 0n
    let hash: Uint8Array = chainStart
    let seen = 0
    for (;;) {
      const rows = await prisma.auditEvent.findMany({
        where: { chainNumber: { gt: number } },
        orderBy: { chainNumber: 'asc' },
        take: 2_000,
      })
      if (rows.length === 0) break
      for (const { chainHash, chainNumber, ...row } of rows) {
        number += 1n
        if (chainNumber !== number) return broken(number, 'a row is missing')
        hash = hashOf(row, number, hash)
        if (!chainHash || !Buffer.from(chainHash).equals(hash)) return broken(number, 'the row was changed')
        const head = heads.get(number.toString())
        if (!head) continue
        if (head.hash !== Buffer.from(hash).toString('hex'))
          return broken(number, `the head of ${head.at.slice(0, 10)} says otherwise`)
        seen += 1
      }
    }
    const beyond = [...heads.values()].find((head) => BigInt(head.number) > number)
    if (beyond)
      return broken(BigInt(beyond.number), `the head of ${beyond.at.slice(0, 10)} is beyond the end`)
    const waiting = await prisma.auditEvent.count({ where: { chainNumber: null } })
    return { intact: true, sealed: Number(number), waiting, heads: seen }
  }

  async function readHeads(): Promise<Head[]> {
    const names = await readdir(headFolder).catch(() => [] as string[])
    const files = names.filter((name) => headPattern.test(name)).sort()
    return Promise.all(
      files.map(async (name) => JSON.parse(await readFile(join(headFolder, name), 'utf8')) as Head),
    )
  }

  return { seal, writeHead, verify }
}

function broken(number: bigint, reason: string): Verdict {
  return { intact: false, number: number.toString(), reason }
}

export type Sealer = ReturnType<typeof createSealer>
