import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

interface StepperProps {
  /** Names the list. */
  label: string
  steps: readonly Readonly<{
    title: string
    progress: 'done' | 'here' | 'ahead'
    /** Below the title. */
    note: ReactNode
  }>[]
}

/** A way in steps, and how far somebody is; below each other on a phone. */
export function Stepper({ label, steps }: StepperProps) {
  return (
    <ol className={steps.length === 4 ? 'stepper four' : 'stepper'} aria-label={label}>
      {steps.map(({ title, progress, note }, place) => (
        <li
          key={title}
          className={progress === 'ahead' ? '' : progress}
          aria-current={progress === 'here' ? 'step' : undefined}
        >
          <span className="dot" aria-hidden="true">
            {progress === 'done' ? <Check className="i" /> : place + 1}
          </span>
          <div>
            <p className="label">{title}</p>
            <p className="small muted">{note}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}
