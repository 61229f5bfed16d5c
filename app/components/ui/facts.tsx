import { Fragment, type ReactNode } from 'react'

interface FactsProps {
  /** Label → value. A value that is missing, false or empty is left out with its label. */
  of: Readonly<Record<string, ReactNode>>
  className?: string
  /** Each value below its label, in boxes beside each other. */
  boxes?: boolean
}

/** A list of labels with their values. */
export function Facts({ of, className = 'facts', boxes = false }: FactsProps) {
  const known = Object.entries(of).filter(([, value]) => value != null && value !== false && value !== '')
  const Pair = boxes ? 'div' : Fragment
  return (
    <dl className={className}>
      {known.map(([label, value]) => (
        <Pair key={label}>
          <dt className={boxes ? 'small muted' : undefined}>{label}</dt>
          <dd>{value}</dd>
        </Pair>
      ))}
    </dl>
  )
}
