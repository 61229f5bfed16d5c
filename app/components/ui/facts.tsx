import { Fragment, type ReactNode } from 'react'

interface FactsProps {
  /** Label → value. A value that is missing, false or empty is left out with its label. */
  of: Readonly<Record<string, ReactNode>>
  className?: string
}

/** A list of labels with their values. */
export function Facts({ of, className = 'facts' }: FactsProps) {
  return (
    <dl className={className}>
      {Object.entries(of).map(([label, value]) =>
        value === undefined || value === null || value === false || value === '' ? null : (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  )
}
