interface ProgressProps {
  /** What of, for who cannot see the bar. */
  label: string
  done: number
  /** Null while it is not known. */
  of: number | null
  /** What is counted. */
  unit: string
}

/** How far something is that goes on by itself. */
export function Progress({ label, done, of, unit }: ProgressProps) {
  const percent = of === null ? null : of === 0 ? 99 : Math.min(99, Math.floor((100 * done) / of))
  const text =
    of === null ? 'Queued' : `${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} ${unit}`
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
