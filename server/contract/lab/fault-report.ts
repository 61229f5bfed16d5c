/**
 * How a client behaved while faults were injected, read from its activity alone: which calls came, when, with what
 * fault. Requests are distinguished by method and route; queries are never kept.
 */
import { type Fault, parseFaultStep } from './fault-script.ts'

export type ReportedCall = Readonly<{
  at: Date
  method: string
  route: string
  status: number
  /** The step as it is written; null: left alone. */
  fault: string | null
}>

export const reportQuestions = {
  retried: 'Retries after a temporary fault',
  waited: 'Waits for the time in Retry-After',
  backedOff: 'Backs off while faults continue',
  stoppedAtLoop: 'Stops at a repeating next link',
  gaveUp: 'Doesn’t retry permanent refusals',
} as const

export type ReportQuestion = keyof typeof reportQuestions
export type ReportAnswer = Readonly<{
  question: ReportQuestion
  answer: 'yes' | 'no' | 'not_seen'
  /** With the figures that it rests on. */
  said: string
}>

/** Faults that pass by themselves. */
const passing = new Set(['429', '500', '503', 'cut', 'truncated'])
/** Refusals that a repetition does not change. */
const lasting = new Set(['401', '403', '404'])
/** A page is looked at once more at most before the circle is noticed. */
const loopMax = 2

/** @param calls in the order in which they came */
export function reportOf(calls: readonly ReportedCall[]): ReportAnswer[] {
  const seen = calls.map((call, place) => ({
    ...call,
    faults: faultsOf(call),
    next: nextOf(calls, place),
  }))
  return [retried(seen), waited(seen), backedOff(seen), stoppedAtLoop(seen), gaveUp(seen)]
}

type Seen = ReportedCall & { faults: readonly Fault[]; next: ReportedCall | null }

function retried(seen: readonly Seen[]): ReportAnswer {
  const faulted = seen.filter(({ faults }) => faults.some(({ code }) => passing.has(code)))
  const again = faulted.filter(({ next }) => next !== null).length
  return answer('retried', faulted.length, again === faulted.length, () => {
    return `${again} of ${faulted.length} such calls were retried.`
  })
}

function waited(seen: readonly Seen[]): ReportAnswer {
  const due = seen.flatMap(({ at, faults, next }) => {
    const seconds = faults.find(({ code }) => code === '429' || code === '503')?.value
    if (seconds === undefined || seconds === null || next === null) return []
    return [{ seconds, paused: (next.at.getTime() - at.getTime()) / 1_000 }]
  })
  const soon = due.filter(({ seconds, paused }) => paused < seconds)
  return answer('waited', due.length, soon.length === 0, () => {
    const [first] = soon
    if (first === undefined) return `All ${due.length} waited long enough.`
    return `${soon.length} of ${due.length} came too soon: one after ${first.paused.toFixed(1)} s instead of ${first.seconds} s.`
  })
}

/** Of faults in a row on one route that name no time themselves: no pause is shorter than the one before. */
function backedOff(seen: readonly Seen[]): ReportAnswer {
  const rows = [...groupByRoute(seen).values()].flatMap((calls) => pausesInARow(calls))
  const shrinking = rows.filter((pauses) =>
    pauses.some((pause, at) => at > 0 && pause < (pauses[at - 1] ?? 0)),
  )
  return answer('backedOff', rows.length, shrinking.length === 0, () => {
    const shown = (shrinking[0] ?? rows[0] ?? []).map((pause) => `${(pause / 1_000).toFixed(1)} s`).join(', ')
    return `Pauses in order: ${shown}.`
  })
}

function pausesInARow(calls: readonly Seen[]): number[][] {
  const rows: number[][] = []
  let row: number[] = []
  for (const [place, call] of calls.entries()) {
    const next = calls[place + 1]
    if (
      next !== undefined &&
      call.faults.some(({ code }) => code === '500' || code === 'cut' || code === 'truncated')
    )
      row.push(next.at.getTime() - call.at.getTime())
    else {
      rows.push(row)
      row = []
    }
  }
  return [...rows, row].filter(({ length }) => length > 1)
}

function stoppedAtLoop(seen: readonly Seen[]): ReportAnswer {
  const loops = [...groupByRoute(seen.filter(({ faults }) => has(faults, 'next-repeats'))).values()]
  const most = Math.max(0, ...loops.map(({ length }) => length))
  return answer('stoppedAtLoop', loops.length, most <= loopMax, () => {
    return most <= loopMax
      ? `The page that links to itself was requested ${most === 1 ? 'once' : 'twice'}.`
      : `The page that links to itself was requested ${most} times.`
  })
}

function gaveUp(seen: readonly Seen[]): ReportAnswer {
  const refused = [
    ...groupByRoute(seen.filter(({ faults }) => faults.some(({ code }) => lasting.has(code)))).values(),
  ]
  const most = Math.max(0, ...refused.map(({ length }) => length))
  return answer('gaveUp', refused.length, most <= 2, () => {
    return `A permanently refused call was made ${most === 1 ? 'once' : `${most} times`}.`
  })
}

function answer(question: ReportQuestion, cases: number, good: boolean, said: () => string): ReportAnswer {
  if (cases === 0) return { question, answer: 'not_seen', said: 'No such call yet.' }
  return { question, answer: good ? 'yes' : 'no', said: said() }
}

function faultsOf({ fault }: ReportedCall): readonly Fault[] {
  return fault === null ? [] : parseFaultStep(fault)
}

function has(list: readonly Fault[], code: Fault['code']): boolean {
  return list.some((each) => each.code === code)
}

function nextOf(calls: readonly ReportedCall[], place: number): ReportedCall | null {
  const call = calls[place]
  return calls.slice(place + 1).find((each) => call !== undefined && routeOf(each) === routeOf(call)) ?? null
}

function groupByRoute<Call extends ReportedCall>(calls: readonly Call[]): Map<string, Call[]> {
  const groups = new Map<string, Call[]>()
  for (const call of calls) groups.set(routeOf(call), [...(groups.get(routeOf(call)) ?? []), call])
  return groups
}

function routeOf({ method, route }: ReportedCall): string {
  return `${method} ${route}`
}
