import type { ReactNode } from 'react'
import { Check, Minus } from './icons.ts'

interface StepperProps {
  label: string
  steps: readonly Readonly<{
    title: string
    progress: 'done' | 'skipped' | 'here' | 'ahead'
    /** Shown below the title. */
    note: ReactNode
    /** The step's name in the form that its button submits. */
    name?: string
  }>[]
  /** The form that is saved before another step opens. Without it, the steps are no buttons. */
  formId?: string
}

/** The steps of a task and how far a person is. On a phone they are below each other. */
export function Stepper({ label, steps, formId }: StepperProps) {
  const list = (
    <ol className="stepper" {...(formId === undefined && { 'aria-label': label })}>
      {steps.map(({ title, progress, note, name }, place) => (
        <li
          key={title}
          className={progress === 'ahead' ? '' : progress}
          aria-current={progress === 'here' ? 'step' : undefined}
        >
          <span className="dot" aria-hidden="true">
            {progress === 'done' ? (
              <Check className="i" />
            ) : progress === 'skipped' ? (
              <Minus className="i" />
            ) : (
              place + 1
            )}
          </span>
          <div>
            {formId === undefined ? (
              <p className="label">{title}</p>
            ) : (
              <button type="submit" form={formId} name="next" value={name}>
                {title}
              </button>
            )}
            {progress === 'ahead' && <span className="sr">Not yet.</span>}
            <p className="small muted">{note}</p>
          </div>
        </li>
      ))}
    </ol>
  )
  if (formId === undefined) return list
  return (
    <nav className="card pad" aria-label={label}>
      {/* Enter in a field presses the form's first button. This one names no step, so the form goes on to the next. */}
      <button type="submit" form={formId} hidden />
      {list}
    </nav>
  )
}
