interface MeterProps {
  label: string
  used: number
  of: number
}

/** Used part of a budget, with the number left. */
export function Meter({ label, used, of }: MeterProps) {
  const share = of === 0 ? 0 : Math.min(100, (used / of) * 100)
  return (
    <div className="meter">
      <div className="row">
        <span>{label}</span>
        <span className="muted">
          {used.toLocaleString('en-US')} of {of.toLocaleString('en-US')},{' '}
          {Math.max(0, of - used).toLocaleString('en-US')} left
        </span>
      </div>
      <div className="track" aria-hidden="true">
        <i style={{ width: `${share}%` }} />
      </div>
    </div>
  )
}
