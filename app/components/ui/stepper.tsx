import type { ReactNode } from 'react'
import { Check, Minus } from './icons.ts'

interface StepperProps {
  /** Names the list. */
  label: string
  steps: readonly Readonly<{
    title: string
    progress: 'done' | 'skipped' | 'here' | 'ahead'
    /** Below the title. */
    note: ReactNode
    /** Of a step that its title leads to. */
    name?: string
  }>[]
  /** Of the form that is saved before another step is opened, also without a script. Else the steps are shown only. */
  formId?: string
}

/** A way in steps, and how far a person is; below each other on a phone. */
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
      {/* Enter in a field presses the form's first button: it goes on. */}
      <button type="submit" form={formId} hidden />
      {list}
    </nav>
  )
}
