interface SkeletonProps {
  /** Says what comes, and how far it is when that is known: “Loading activity, 60 of 200 rows”. */
  label: string
  rows?: number
}

/** The shape of what comes. */
export function Skeleton({ label, rows = 3 }: SkeletonProps) {
  return (
    <div className="card pad stack" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike
        <span className="skel" key={row} style={{ width: `${96 - ((row * 17) % 40)}%` }} />
      ))}
    </div>
  )
}
