/**
 * Seals the portal's audit rows. Rows do not commit in the order of their ids, so the chain has its own numbers: one sealer
 * at a time assigns the next ones to newly committed rows. Once a minute it signs the newest hash as a head and writes it to
 * folders outside the database. Changing a sealed row unnoticed needs the key; removing rows that a head covers also needs
 * write access to every folder.
 */

import type { Logger } from 'pino'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import type { Keyring } from '../keyring.ts'
import { chainHash, chainStart } from './chain.ts'
import { hexOf, signHead, toUnsigned } from './head.ts'
import { createHeadFolder } from './head-folder.ts'
import type { PortalAudit } from './portal-audit.ts'
import { findHeadLoss, type HeadLoss, verifyChain } from './verify-chain.ts'

type SealerDependencies = {
  prisma: PrismaClient
  clock: () => Date
  keyring: Keyring
  portalAudit: PortalAudit
  /** Folders outside the database by name. Each head lists the names of the folders that have it. */
  headFolders: Readonly<Record<string, string>>
}

/** The sealer's state for metrics, without verifying the chain. */
export type SealerHealth = Readonly<{
  /** Age of the oldest row that is not sealed; null if all are sealed. */
  oldestUnsealedSeconds: number | null
  /** Age of the oldest row that no head covers; null if all are covered. */
  oldestUncoveredSeconds: number | null
  /** By folder, whether its newest head is the last one written there. */
  folders: Readonly<Record<string, HeadFolderState>>
}>

type HeadFolderState = 'current' | 'missing' | 'ahead' | 'unreadable'

/** A folder has heads that the database does not know, for example after the restore of an older backup. */
export class HeadsAheadError extends Error {
  override name = 'HeadsAheadError'
}

const batch = 500
const headEveryMs = 60_000
const deliverAtOnce = 1_000

export function createSealer({ headFolders, ...dependencies }: SealerDependencies) {
  const { prisma, clock, keyring, portalAudit } = dependencies
  const folders = Object.entries(headFolders).map(([name, folder]) => createHeadFolder({ name, folder }))

  /** Seals all committed rows, unless another sealer is running. @returns the number of sealed rows */
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
      const last = await tx.auditEvent.findFirst({ where: sealedRows, orderBy: { chainNumber: 'desc' } })
      let number = last?.chainNumber ?? 0n
      let hash = last?.chainHash ?? chainStart
      const sealed = rows.map((row) => {
        number += 1n
        hash = chainHash({ row, number, before: hash }, keyring)
        return { id: row.id.toString(), number: number.toString(), hash: hexOf(hash) }
      })
      await tx.$executeRaw`
        UPDATE portal.audit_event e SET chain_number = s.number::bigint, chain_hash = decode(s.hash, 'hex')
        FROM json_to_recordset(${JSON.stringify(sealed)}::json) AS s(id text, number text, hash text)
        WHERE e.id = s.id::bigint AND e.chain_number IS NULL`
      return rows.length
    })
  }

  /**
   * Signs a head if rows were sealed since the last one and that one is a minute old, and writes missing heads to every
   * folder. The database gets a head first: after a kill in between, the next call writes it to the folders.
   * @param options `now` ignores the age of the last head
   * @returns whether a head was signed
   * @throws HeadsAheadError, and the first error of a folder after all folders were tried
   */
  async function writeHead(options: { now?: boolean } = {}): Promise<boolean> {
    // Folders are read before the database, because the database gets each head first.
    const inFolders = await Promise.allSettled(folders.map((folder) => folder.newest()))
    const highest = inFolders.reduce((most, result) => {
      const found = result.status === 'fulfilled' && result.value ? BigInt(result.value.sequence) : 0n
      return found > most ? found : most
    }, 0n)
    const signed = await signNext({ highest, now: options.now ?? false })
    const delivered = await Promise.allSettled(folders.map((folder) => deliver(folder)))
    const failed = delivered.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    return signed
  }

  /** `accept` continues after heads in the folders that the database does not know. */
  async function signNext(options: { highest: bigint; now?: boolean; accept?: boolean }): Promise<boolean> {
    return prisma.$transaction(async (tx) => {
      const [lock] = await tx.$queryRaw<{ taken: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(hashtextextended('sandpiper audit head', 0)) AS taken`
      if (!lock?.taken) return false
      const row = await tx.auditEvent.findFirst({ where: sealedRows, orderBy: { chainNumber: 'desc' } })
      const last = await tx.auditHead.findFirst({ orderBy: { sequence: 'desc' } })
      const lastSequence = last?.sequence ?? 0n
      if (options.highest > lastSequence && !options.accept)
        throw new HeadsAheadError(
          `the database knows audit heads up to ${lastSequence}, a head folder holds ${options.highest}: ` +
            'see npm run audit:accept -- --help',
        )
      if (!row?.chainHash || row.chainNumber === null) return false
      const now = clock()
      if (!options.accept) {
        if (row.chainNumber <= (last?.chainNumber ?? 0n)) return false
        // The absolute value keeps heads coming after the clock was set back.
        const age = last ? Math.abs(now.getTime() - last.at.getTime()) : headEveryMs
        if (age < headEveryMs && !options.now) return false
      }
      const head = {
        sequence: (options.highest > lastSequence ? options.highest : lastSequence) + 1n,
        follows: lastSequence,
        chainNumber: row.chainNumber,
        chainHash: row.chainHash,
        at: now,
      }
      const mac = signHead(toUnsigned(head, last?.mac), keyring)
      await tx.auditHead.create({ data: { ...head, mac } })
      return true
    })
  }

  /** Writes the heads that a folder lacks. Concurrent calls write the same lines. */
  async function deliver(folder: (typeof folders)[number]): Promise<void> {
    for (;;) {
      const heads = await prisma.auditHead.findMany({
        where: { NOT: { writtenTo: { has: folder.name } } },
        orderBy: { sequence: 'asc' },
        take: deliverAtOnce,
      })
      if (heads.length === 0) return
      const before = await prisma.auditHead.findMany({
        where: { sequence: { in: heads.map(({ follows }) => follows) } },
      })
      const macs = new Map(before.map(({ sequence, mac }) => [sequence, mac]))
      await folder.append(
        heads.map((head) => ({ ...toUnsigned(head, macs.get(head.follows)), mac: hexOf(head.mac) })),
      )
      await prisma.$executeRaw`
        UPDATE portal.audit_head SET written_to = array_append(written_to, ${folder.name})
        WHERE sequence = ANY (${heads.map(({ sequence }) => sequence)}::bigint[])
          AND NOT ${folder.name} = ANY (written_to)`
    }
  }

  async function health(): Promise<SealerHealth> {
    const last = await prisma.auditHead.findFirst({ orderBy: { sequence: 'desc' } })
    const covered = last?.chainNumber ?? 0n
    const ageOf = async (where: { chainNumber: null | { gt: bigint } }) => {
      const row = await prisma.auditEvent.findFirst({ where, orderBy: { id: 'asc' }, select: { at: true } })
      return row ? Math.max(0, (clock().getTime() - row.at.getTime()) / 1_000) : null
    }
    const [unsealed, uncovered] = await Promise.all([
      ageOf({ chainNumber: null }),
      ageOf({ chainNumber: { gt: covered } }),
    ])
    const states = await Promise.all(
      folders.map(async (folder): Promise<[string, HeadFolderState]> => [folder.name, await stateOf(folder)]),
    )
    return {
      oldestUnsealedSeconds: unsealed,
      oldestUncoveredSeconds: unsealed === null ? uncovered : Math.max(unsealed, uncovered ?? 0),
      folders: Object.fromEntries(states),
    }
  }

  async function stateOf(folder: (typeof folders)[number]): Promise<HeadFolderState> {
    try {
      const found = await folder.newest()
      const written = await prisma.auditHead.findFirst({
        where: { writtenTo: { has: folder.name } },
        orderBy: { sequence: 'desc' },
      })
      const known =
        found && (await prisma.auditHead.findUnique({ where: { sequence: BigInt(found.sequence) } }))
      if (found && (!known || hexOf(known.mac) !== found.mac)) return 'ahead'
      return written && written.sequence > BigInt(found?.sequence ?? 0) ? 'missing' : 'current'
    } catch {
      return 'unreadable'
    }
  }

  return {
    seal,
    writeHead,
    health,
    verify: () => verifyChain({ prisma, clock, keyring, folders }),
    accept,
  }

  /**
   * For an operator after the restore of an older backup or the loss of a head folder. Records in the chain what is lost and
   * why, continues after the lost heads, and writes missing heads to the folders. Does not repair changed rows.
   * @returns null if there is nothing to accept
   */
  async function accept(reason: string): Promise<HeadLoss | null> {
    const loss = await findHeadLoss({ prisma, keyring, folders })
    if (!loss) return null
    await prisma.$transaction(async (tx) => {
      await portalAudit.append(tx, {
        ...portalAudit.system(),
        action: 'audit.heads_accepted',
        subject: { kind: 'audit', id: null },
        detail: { reason, ...loss.detail },
      })
      for (const { name, missing } of loss.folders)
        await tx.$executeRaw`UPDATE portal.audit_head SET written_to = array_remove(written_to, ${name})
          WHERE sequence = ANY (${missing}::bigint[])`
    })
    for (let tries = 0; tries < 20; tries++) {
      await seal()
      if (await signNext({ highest: loss.highest, accept: true })) break
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    for (const folder of folders) await deliver(folder)
    return loss
  }
}

const sealedRows = { chainNumber: { not: null } }

export type Sealer = ReturnType<typeof createSealer>

// Seals the audit rows of the portal every few seconds and signs a head every minute, while the process runs.

const sealEveryMs = 5_000
const publishEveryMs = 5_000

type Options = {
  sealer: Pick<Sealer, 'seal' | 'writeHead'>
  log: Pick<Logger, 'error'>
}

export function startSealing({ sealer, log }: Options) {
  // Two loops, so that a head folder on a hanging network does not stop the sealing.
  const sealing = repeat(sealEveryMs, sealer.seal, (err) =>
    log.error({ err }, 'audit rows could not be sealed'),
  )
  const heads = repeat(publishEveryMs, sealer.writeHead, (err) =>
    log.error({ err }, 'the head of the audit chain could not be written'),
  )

  return {
    /** Seals all rows and signs a head for them, so that a stopped server leaves no unprotected row. */
    async stop(): Promise<void> {
      await Promise.all([sealing.stop(), heads.stop()])
      try {
        await sealer.seal()
        await sealer.writeHead({ now: true })
      } catch (err) {
        log.error({ err }, 'the last audit rows could not be sealed')
      }
    },
  }
}

function repeat(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void) {
  let running: Promise<void> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    // The next round repeats what failed.
    running = work()
      .then(() => {}, onError)
      .finally(() => {
        busy = false
      })
  }, everyMs)
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
