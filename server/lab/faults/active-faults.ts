/**
 * Which sandbox keys and apps have faults switched on, as every process knows it: asked at most once a second, and
 * only while sandbox requests come, so that a request without a fault costs no statement, and one of production
 * nothing at all. Which step is whose turn is decided by the database.
 */
import { type FaultStep, parseFaultStep } from '../../contract/lab/fault-script.ts'
import type { Core } from '../../domain/core.ts'
import type { FaultSubject } from '../../http/faults.ts'

/** A switch holds at other processes after so long at most. */
const activeFaultsMs = 1_000
/** A request waits no longer for the list of switches: without it, no fault is injected. */
const readWaitMs = 500
/** Nor longer for its turn among the requests of the same key or app. */
const turnWaitMs = 1_000

const none: ReadonlyMap<string, string> = new Map()

export function createActiveFaults({ prisma, clock, log }: Pick<Core, 'prisma' | 'clock' | 'log'>) {
  let known: { until: number; subjects: ReadonlyMap<string, string> } | null = null
  let reading: Promise<void> | null = null
  /** Counts changes made here: a list that was read before one is out of date. */
  let changes = 0

  /** The fault switch of the caller; null for nearly all. Never throws: faults are an extra of the sandbox. */
  async function find(subject: FaultSubject): Promise<string | null> {
    if (!isFresh()) {
      if (reading === null) {
        const begun = read().finally(() => {
          if (reading === begun) reading = null
        })
        reading = begun
      }
      await withinMs(readWaitMs, reading)
      // Requests that come while the table cannot be read do not wait again.
      if (!isFresh()) keep(none)
    }
    return known?.subjects.get(nameOf(subject)) ?? null
  }

  function isFresh(): boolean {
    const now = clock().getTime()
    // A clock that was set back must not keep an old answer.
    return known !== null && known.until > now && known.until <= now + activeFaultsMs
  }

  function keep(subjects: ReadonlyMap<string, string>): void {
    known = { until: clock().getTime() + activeFaultsMs, subjects }
  }

  async function read(): Promise<void> {
    const begunAt = changes
    try {
      const rows = await prisma.faultSwitch.findMany({
        where: { endedAt: null, endsAt: { gt: clock() } },
        select: { id: true, keyId: true, clientId: true },
      })
      if (begunAt === changes)
        keep(new Map(rows.map(({ id, keyId, clientId }) => [keyId ?? clientId ?? '', id])))
    } catch (error) {
      log.warn({ err: error }, 'fault switches could not be read; no faults are injected')
      if (begunAt === changes) keep(none)
    }
  }

  /**
   * The step whose turn it is, used up; null when the switch is off, at its end, or its step is for another kind of
   * request, which then keeps waiting. Of two requests at once each gets a step of its own. Never throws.
   */
  async function take(id: string, fits: (step: FaultStep) => boolean): Promise<FaultStep | null> {
    try {
      return await takeTurn(id, fits)
    } catch (error) {
      log.warn({ err: error }, 'a fault could not be taken; none is injected')
      return null
    }
  }

  async function takeTurn(id: string, fits: (step: FaultStep) => boolean): Promise<FaultStep | null> {
    return prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT set_config('lock_timeout', ${`${turnWaitMs}`}, true)`
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
    reading = null
    changes += 1
  }

  return { find, take, forget }
}

export type ActiveFaults = ReturnType<typeof createActiveFaults>

const nameOf = ({ keyId, clientId }: FaultSubject): string => keyId ?? clientId

/** Resolves when `work` has ended, or after so many milliseconds. */
async function withinMs(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
