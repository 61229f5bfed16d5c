/** What a key or app did on one day at one practice, and what several days come to. */

type Counts = Readonly<Record<string, number>>

export type SubjectKind = 'key' | 'app'
/** Of a key with a production request, the request's id; of an app, its client ID. */
export type Subject = Readonly<{ kind: SubjectKind; id: string }>

export type Figures = Readonly<{
  calls: number
  served: number
  /** Answered 404, which is not counted as a refusal. */
  notFound: number
  /** By code of contract/keys/refusal-reasons.ts, without 404. */
  refusals: Counts
  /** Calls by network, those refused for the credential left out: anybody can send a wrong key. */
  networks: Counts
  browserCalls: number
  /** Calls by hour of the day, in UTC. */
  hours: Counts
  /** Records in responses, by FHIR type. */
  types: Counts
  /** Different patients. */
  patients: number
  /** Different patients in the busiest hour, those of exports left out. */
  peakPatients: number
  exports: number
  lastAt: string | null
}>

export type UseDay = Readonly<{ practiceId: string; subject: Subject; day: string; figures: Figures }>

export const subjectKey = ({ kind, id }: Subject) => `${kind} ${id}`

export const sumOf = (counts: Counts) => Object.values(counts).reduce((sum, count) => sum + count, 0)

function add(all: readonly Counts[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

/** Patients of several days are those of the busiest one: the days do not say who they were. */
function sumFigures(days: readonly Figures[]): Figures {
  const sum = (of: (figures: Figures) => number) => days.reduce((total, each) => total + of(each), 0)
  const most = (of: (figures: Figures) => number) => Math.max(0, ...days.map(of))
  return {
    calls: sum(({ calls }) => calls),
    served: sum(({ served }) => served),
    notFound: sum(({ notFound }) => notFound),
    refusals: add(days.map(({ refusals }) => refusals)),
    networks: add(days.map(({ networks }) => networks)),
    browserCalls: sum(({ browserCalls }) => browserCalls),
    hours: add(days.map(({ hours }) => hours)),
    types: add(days.map(({ types }) => types)),
    patients: most(({ patients }) => patients),
    peakPatients: most(({ peakPatients }) => peakPatients),
    exports: sum(({ exports }) => exports),
    lastAt:
      days
        .map(({ lastAt }) => lastAt)
        .filter((at) => at !== null)
        .sort()
        .at(-1) ?? null,
  }
}

/** By `subjectKey`. */
export function sumBySubject(days: readonly UseDay[]) {
  const bySubject = new Map<string, UseDay[]>()
  for (const each of days) {
    const key = subjectKey(each.subject)
    bySubject.set(key, [...(bySubject.get(key) ?? []), each])
  }
  return new Map(
    [...bySubject].map(([key, own]) => [
      key,
      { subject: (own[0] as UseDay).subject, figures: sumFigures(own.map(({ figures }) => figures)) },
    ]),
  )
}

/** Whether a record may have left: an empty list is an answer, too. */
export const hasRead = ({ served, types, exports }: Figures) =>
  served > 0 || exports > 0 || Object.keys(types).length > 0

/** Most first. */
export const ranked = (counts: Counts) =>
  Object.entries(counts).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
