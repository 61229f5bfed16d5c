import { counted } from '../../lib/dates.ts'

interface Day {
  /** yyyy-mm-dd */
  day: string
  served: number
  refused: number
}

const step = 4.4
const baseline = 25

/** The height is the square root of the share, so that small differences are visible. */
function barHeight(count: number, most: number): number {
  if (count <= 0 || most <= 0) return 0
  return Math.max(2, Math.round(Math.sqrt(count / most) * 24 * 10) / 10)
}

/** `18,402 calls, 214 refused`, also for screen readers. */
export function callsOf(days: readonly Day[]): string {
  const refused = days.reduce((sum, day) => sum + day.refused, 0)
  const calls = days.reduce((sum, day) => sum + day.served, 0) + refused
  if (calls === 0) return 'No calls'
  return `${counted(calls, 'call')}, ${refused === 0 ? 'none' : refused.toLocaleString('en-US')} refused`
}

/** Thirty days of calls. Refused calls are drawn below the line. */
export function Sparkline({ days }: { days: readonly Day[] }) {
  const most = Math.max(0, ...days.map((day) => day.served))
  const mostRefused = Math.max(0, ...days.map((day) => day.refused))
  return (
    <svg
      className="spark"
      viewBox="0 0 132 32"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${callsOf(days)} in 30 days`}
    >
      {days.map((day, index) => {
        const x = index * step
        const height = barHeight(day.served, most)
        return (
          <g key={day.day}>
            {height > 0 ? (
              <rect className="c" x={x} y={baseline - height} width={3.2} height={height} rx={1} />
            ) : (
              <rect className="z" x={x} y={24} width={3.2} height={1} />
            )}
            {day.refused > 0 && (
              <rect
                className="r"
                x={x}
                y={27}
                width={3.2}
                height={1.5 + barHeight(day.refused, mostRefused) / 8}
                rx={1}
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}
