/** Observations of one kind over time, as a small chart shows them. A blood pressure is two lines of one series. */
import type * as fhir from 'fhir/r4.js'

export type Point = Readonly<{ at: string; value: number; id: string }>

export type Series = Readonly<{
  /** System and code. */
  key: string
  code: string
  title: string
  unit: string
  /** Each oldest first; the first line names the series. */
  lines: readonly (readonly Point[])[]
  /** The reference range of the newest; null where none is given. */
  band: Readonly<{ low: number | null; high: number | null }> | null
}>

/** Only observations with a number; those that were measured most recently first. */
export function seriesOf(observations: readonly fhir.Observation[]): Series[] {
  const byKey = new Map<string, fhir.Observation[]>()
  for (const observation of observations) {
    const { system = '', code = '' } = observation.code.coding?.[0] ?? {}
    const key = `${system}|${code}`
    if (code !== '' && observation.status !== 'entered-in-error')
      byKey.set(key, [...(byKey.get(key) ?? []), observation])
  }
  return [...byKey]
    .flatMap(([key, all]) => toSeries(key, all) ?? [])
    .sort((a, b) => lastOf(b).localeCompare(lastOf(a)) || a.key.localeCompare(b.key))
}

function toSeries(key: string, observations: readonly fhir.Observation[]): Series | null {
  const ordered = [...observations].sort((a, b) =>
    `${whenOf(a)} ${a.id}`.localeCompare(`${whenOf(b)} ${b.id}`),
  )
  const newest = ordered.at(-1)
  if (newest === undefined) return null
  const parts = newest.component?.map((part) => part.code.coding?.[0]?.code) ?? []
  const lines =
    newest.valueQuantity?.value !== undefined
      ? [ordered.flatMap((each) => pointOf(each, each.valueQuantity))]
      : parts.map((code) =>
          ordered.flatMap((each) =>
            pointOf(
              each,
              each.component?.find((part) => part.code.coding?.[0]?.code === code)?.valueQuantity,
            ),
          ),
        )
  const drawn = lines.filter((line) => line.length > 0)
  if (drawn.length === 0) return null
  const [coding] = newest.code.coding ?? []
  const [range] = newest.referenceRange ?? []
  const quantity = newest.valueQuantity ?? newest.component?.[0]?.valueQuantity
  return {
    key,
    code: coding?.code ?? '',
    title: newest.code.text ?? coding?.display ?? coding?.code ?? '',
    unit: quantity?.unit ?? quantity?.code ?? '',
    lines: drawn,
    band:
      range?.low || range?.high ? { low: range.low?.value ?? null, high: range.high?.value ?? null } : null,
  }
}

function pointOf(observation: fhir.Observation, quantity: fhir.Quantity | undefined): Point[] {
  const at = whenOf(observation)
  return quantity?.value === undefined || at === ''
    ? []
    : [{ at, value: quantity.value, id: observation.id ?? '' }]
}

function whenOf({ effectiveDateTime, effectiveInstant, effectivePeriod }: fhir.Observation): string {
  return effectiveDateTime ?? effectiveInstant ?? effectivePeriod?.start ?? ''
}

const lastOf = ({ lines }: Series) => lines[0]?.at(-1)?.at ?? ''
