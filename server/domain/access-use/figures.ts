/** The figures of a key or app on one day at one practice, and their sum over several days. */

type Counts = Readonly<Record<string, number>>

export type SubjectKind = 'key' | 'app'
/** The id is the client ID of an app, the production request's id of a key that has one, or else the key's id. */
export type Subject = Readonly<{ kind: SubjectKind; id: string }>

export type Figures = Readonly<{
  calls: number
  served: number
  /** Calls with a 404, which does not count as a refusal. */
  notFound: number
  /** Refusals by code of contract/keys/refusal-reasons.ts, without 404. */
  refusals: Counts
  /** Calls by network, without those refused for the credential, because anyone can send a wrong key. */
  networks: Counts
  browserCalls: number
  /** Calls by hour of the day, in UTC. */
  hours: Counts
  /** Records in responses, by FHIR type. */
  types: Counts
  /** The number of distinct patients. */
  patients: number
  /** The number of distinct patients in the busiest hour, without exports. */
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

/** Patients of several days can't be added, because they are not identified, so the busiest day counts. */
function sumFigures(days: readonly Figures[]): Figures {
  const sum = (read: (figures: Figures) => number) => days.reduce((total, day) => total + read(day), 0)
  const most = (read: (figures: Figures) => number) => Math.max(0, ...days.map(read))
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

/** Sums the days of each subject, by `subjectKey`. */
export function sumBySubject(days: readonly UseDay[]) {
  const bySubject = new Map<string, UseDay[]>()
  for (const day of days) {
    const key = subjectKey(day.subject)
    bySubject.set(key, [...(bySubject.get(key) ?? []), day])
  }
  return new Map(
    [...bySubject].map(([key, rows]) => [
      key,
      { subject: (rows[0] as UseDay).subject, figures: sumFigures(rows.map(({ figures }) => figures)) },
    ]),
  )
}

/** Whether the subject may have read a record. A served call counts even if its list was empty. */
export const hasRead = ({ served, types, exports }: Figures) =>
  served > 0 || exports > 0 || Object.keys(types).length > 0

/** The entries, the largest count first. */
export const ranked = (counts: Counts) =>
  Object.entries(counts).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
