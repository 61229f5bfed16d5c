interface ProgressProps {
  /** Names the bar for screen readers. */
  label: string
  done: number
  /** Null until it is known. */
  max: number | null
  /** The noun after the numbers, such as `resources`. */
  unit: string
}

/** Never shows 100 %: when the work is done, the page shows its result instead. */
export function Progress({ label, done, max, unit }: ProgressProps) {
  const percent = max === null ? null : max === 0 ? 99 : Math.min(99, Math.floor((100 * done) / max))
  const text =
    max === null ? 'Queued' : `${done.toLocaleString('en-US')} of ${max.toLocaleString('en-US')} ${unit}`
  return (
    <div className="meter">
      <div className="row">
        <span>{percent === null ? '' : `${percent} %`}</span>
        <span className="muted">{text}</span>
      </div>
      <div
        className="track"
        role="progressbar"
        aria-label={label}
        aria-valuetext={text}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(percent === null ? {} : { 'aria-valuenow': percent })}
      >
        <i style={{ width: `${percent ?? 0}%` }} />
      </div>
    </div>
  )
}
