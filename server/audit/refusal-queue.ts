/**
 * Refused requests waiting to be written. Under a flood equal refusals of one key and second become one
 * row with a count, so that the queue stays short and nothing passes in silence.
 */
import type { CountedRecord, LogRecord } from './log-rows.ts'

type Bounds = {
  /** More waiting than this, and refusals are folded. */
  foldAbove?: number
  /** Different rows at most; beyond it claimed prefixes, routes and addresses are given up, keys never. */
  rowsMax?: number
}

type RefusalQueue = {
  add(record: LogRecord): void
  /** Takes out up to `max` rows, oldest first. */
  drain(max: number): CountedRecord[]
  /** Puts back rows that could not be written. */
  restore(records: readonly CountedRecord[]): void
  readonly size: number
}

export function createRefusalQueue({ foldAbove = 500, rowsMax = 5_000 }: Bounds = {}): RefusalQueue {
  let plain: CountedRecord[] = []
  const folded = new Map<string, CountedRecord>()

  function fold(record: CountedRecord): void {
    const { activity } = record
    const second = Math.floor(activity.at.getTime() / 1_000)
    const what = `${second} ${activity.environment} ${activity.status} ${activity.refusal} ${activity.fault ?? ''}`
    const whose = activity.keyId ?? activity.clientId ?? activity.claimedPrefix ?? ''
    const exact = `${what} ${whose} ${activity.method} ${activity.route}`
    if (increase(exact, record.count)) return
    if (folded.size < rowsMax) {
      folded.set(exact, record)
      return
    }
    const coarse = `${what} ${activity.keyId ?? activity.clientId ?? ''}`
    if (increase(coarse, record.count)) return
    folded.set(coarse, {
      ...record,
      activity: { ...activity, claimedPrefix: null, route: '*', ip: null, clientCorrelationId: null },
    })
  }

  function increase(name: string, count: number): boolean {
    const known = folded.get(name)
    if (known === undefined) return false
    known.count += count
    return true
  }

  function accept(record: CountedRecord): void {
    if (plain.length < foldAbove) plain.push(record)
    else fold(record)
  }

  function drain(max: number): CountedRecord[] {
    const out = plain.slice(0, max)
    plain = plain.slice(max)
    for (const [name, record] of folded) {
      if (out.length >= max) break
      out.push(record)
      folded.delete(name)
    }
    return out
  }

  return {
    add: (record) => accept({ ...record, count: 1 }),
    drain,
    restore: (records) => {
      for (const record of records) accept(record)
    },
    get size() {
      return plain.length + folded.size
    },
  }
}
