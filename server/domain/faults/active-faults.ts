/**
 * Which sandbox keys and apps have faults switched on, as every process knows it: asked at most once a second, and
 * only while sandbox requests come, so that a request without a fault costs no statement, and one of production
 * nothing at all. Which step is whose turn is decided by the database.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { type FaultStep, parseFaultStep } from '../../contract/fault-script.ts'

export type FaultSubject =
  | Readonly<{ keyId: string; clientId?: undefined }>
  | Readonly<{ clientId: string; keyId?: undefined }>

type Dependencies = { prisma: PrismaClient; clock: () => Date }

/** A switch holds at other processes after so long at most. */
export const activeFaultsMs = 1_000

export function createActiveFaults({ prisma, clock }: Dependencies) {
  let known: { until: number; subjects: Promise<ReadonlyMap<string, string>> } | null = null

  /** The switch of whoever calls, null for nearly everybody. */
  async function find(subject: FaultSubject): Promise<string | null> {
    const now = clock().getTime()
    // A clock that was set back must not keep an old answer.
    if (known === null || known.until <= now || known.until > now + activeFaultsMs) {
      const subjects = read()
      known = { until: now + activeFaultsMs, subjects }
      subjects.catch(() => {
        if (known?.subjects === subjects) known = null
      })
    }
    return (await known.subjects).get(nameOf(subject)) ?? null
  }

  async function read(): Promise<ReadonlyMap<string, string>> {
    const rows = await prisma.faultSwitch.findMany({
      where: { endedAt: null, endsAt: { gt: clock() } },
      select: { id: true, keyId: true, clientId: true },
    })
    return new Map(rows.map(({ id, keyId, clientId }) => [keyId ?? clientId ?? '', id]))
  }

  /**
   * The step whose turn it is, used up; null when the switch is off, at its end, or its step is for another kind of
   * request, which then keeps waiting. Of two requests at once each gets a step of its own.
   */
  async function take(id: string, fits: (step: FaultStep) => boolean): Promise<FaultStep | null> {
    return prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM portal.fault_switch WHERE id = ${id}::uuid FOR UPDATE`
      const row = await tx.faultSwitch.findUnique({ where: { id } })
      if (row === null || row.endedAt !== null || row.endsAt <= clock()) return null
      const steps = row.steps as string[]
      const text = steps[row.repeats ? row.taken % steps.length : row.taken]
      if (text === undefined) return null
      const step = parseFaultStep(text)
      if (!fits(step)) return null
      await tx.faultSwitch.update({
        where: { id },
        data: { taken: { increment: 1 } },
        select: { id: true },
      })
      return step
    })
  }

  /** After a switch of this process, so that it holds on its next request. */
  function forget(): void {
    known = null
  }

  return { find, take, forget }
}

export type ActiveFaults = ReturnType<typeof createActiveFaults>

function nameOf({ keyId, clientId }: FaultSubject): string {
  return keyId ?? clientId
}
