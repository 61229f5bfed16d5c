import { scale } from './series-chart.tsx'

interface AgePoint {
  months: number
  value: number
}

interface ShownGrowth {
  curve: string
  title: string
  unit: string
  measured: readonly (AgePoint & { id: string })[]
  percentiles: readonly { name: string; points: readonly AgePoint[] }[]
}

const width = 320
const height = 220
const left = 30
const right = 26
const top = 8
const bottom = 20

/** What a child was measured at over its age, with the percentiles of its sex. */
export function GrowthCard({ chart }: { chart: ShownGrowth }) {
  const { title, unit, measured, percentiles } = chart
  const newest = measured.at(-1)
  const drawn = percentiles.flatMap(({ points }) => points)
  const all = [...drawn, ...measured]
  const months = all.map((point) => point.months)
  const values = all.map(({ value }) => value)
  const ages: [number, number] = [Math.min(...months), Math.max(...months)]
  const amounts: [number, number] = [Math.min(...values), Math.max(...values)]
  const x = scale(ages, [left, width - right])
  const y = scale(amounts, [height - bottom, top])
  const path = (points: readonly AgePoint[]) =>
    points.map((point) => `${x(point.months)},${y(point.value)}`).join(' ')
  const label = `${title} by age: ${measured.length} readings, newest ${newest?.value} ${unit} at ${ageOf(newest?.months ?? 0)}, between the 5th and the 95th percentile of the CDC charts`
  return (
    <article className="vital">
      <h3>{title}</h3>
      <svg className="growth" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {percentiles.map(({ name, points }) => {
          const end = points.at(-1)
          return (
            <g key={name}>
              <polyline className={name === '50' ? 'curve middle' : 'curve'} points={path(points)} />
              {end && (
                <text x={x(end.months) + 4} y={y(end.value) + 3}>
                  {name}
                </text>
              )}
            </g>
          )
        })}
        <polyline className="own" points={path(measured)} />
        {measured.map((point) => (
          <circle key={point.id} cx={x(point.months)} cy={y(point.value)} r={2.6} />
        ))}
        <text x={left - 4} y={y(amounts[0])} className="end">
          {Math.round(amounts[0])}
        </text>
        <text x={left - 4} y={y(amounts[1]) + 8} className="end">
          {Math.round(amounts[1])}
        </text>
        <text x={left} y={height - 4}>
          {ageOf(ages[0])}
        </text>
        <text x={width - right} y={height - 4} className="end">
          {ageOf(ages[1])}
        </text>
      </svg>
      <p className="small muted">
        {newest ? `${newest.value} ${unit} at ${ageOf(newest.months)}. ` : ''}Percentiles 5 to 95, CDC 2000.
      </p>
    </article>
  )
}

/** `5 months`, `6 years`. */
function ageOf(months: number): string {
  const whole = Math.max(0, Math.round(months))
  if (whole < 24) return whole === 1 ? '1 month' : `${whole} months`
  return `${Math.round(whole / 12)} years`
}
