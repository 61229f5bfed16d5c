import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { FormPlace, useRefused } from '../../lib/form-answer.ts'
import { TextArea } from './form.tsx'
import { Banner, type ButtonLook, LinkButton, SubmitButton } from './page-parts.tsx'
import { useTextWarning } from './text-warning.tsx'

interface ActionFormProps {
  /** The name of the step, sent to the server. */
  intent: string
  version: number
  /** Part of the idempotency key. Each load of the page has a new one. */
  onceKey: string
  title?: string | undefined
  /** The form's accessible name, if its title is outside the form. */
  label?: string
  button: ReactNode
  /** The row that the button is about, for screen readers; the form of a row is no landmark. */
  about?: string
  busy?: string | undefined
  look?: ButtonLook | undefined
  size?: 'sm'
  /** What the step does, in a sentence or two. */
  text?: string | undefined
  /** The label of a text that the step needs. */
  reason?: string | undefined
  reasonName?: 'reason' | 'text' | 'comment' | 'note' | undefined
  reasonHint?: string | undefined
  /** The hidden field that identifies the form's row of a list, with its value. */
  row?: { name: string; id: string }
  /** The form is folded behind a button with this label. */
  folded?: ReactNode
  /** Where the reader confirms the password first; null if that is not needed now. */
  stepUp?: { to: string | null; label: string }
  /** Classes of the element around the button. */
  footer?: string
  /** Classes that replace those of a card. */
  className?: string
  children?: ReactNode
}

/** The form of one step. It applies to the version that the page shows, and only once. Works without a script. */
export function ActionForm(props: ActionFormProps) {
  const {
    intent,
    title,
    button,
    look = 'outline',
    reason,
    reasonName = 'reason',
    row,
    folded,
    stepUp,
  } = props
  const place = { intent, about: row?.id }
  const refused = useRefused(place) !== undefined
  const warned = useTextWarning({ field: reasonName, ...place }) !== null
  const className = props.className ?? (folded === undefined ? 'card pad stack' : 'stack mt-3 read')
  const buttonText = typeof button === 'string' && props.about === undefined ? button : undefined
  const label = props.label ?? title ?? buttonText
  const form = (
    <Form method="post" className={className} aria-label={label}>
      {title && <h2>{title}</h2>}
      <input type="hidden" name="version" value={props.version} />
      <input type="hidden" name="idempotencyKey" value={`${props.onceKey}-${intent}`} />
      {row && <input type="hidden" name={row.name} value={row.id} />}
      <FormPlace.Provider value={place}>
        {props.text && <p>{props.text}</p>}
        {props.children}
        {reason && <TextArea name={reasonName} label={reason} hint={props.reasonHint} />}
      </FormPlace.Provider>
      <div className={props.footer}>
        {stepUp?.to ? (
          <LinkButton to={stepUp.to} look={look === 'primary' ? look : 'outline'}>
            {stepUp.label}
          </LinkButton>
        ) : (
          <SubmitButton
            look={look}
            size={props.size ?? 'md'}
            className={folded === undefined ? '' : 'filled'}
            name="intent"
            value={intent}
            busy={props.busy ?? 'Sending'}
          >
            {button}
            {props.about && <span className="sr"> {props.about}</span>}
          </SubmitButton>
        )}
      </div>
    </Form>
  )
  if (folded === undefined) return form
  return (
    <details open={refused || warned}>
      <summary className="btn danger">{folded}</summary>
      {form}
    </details>
  )
}

/** A step of a workflow, as its form shows it. */
export interface Step
  extends Omit<ActionFormProps, 'intent' | 'version' | 'onceKey' | 'row' | 'className' | 'footer'> {
  /** The workflow's event, if it isn't named like the form's intent. */
  event?: string
}

interface StepFormsProps {
  /** The version that the page shows, and the events that the workflow allows the reader now. */
  view: { version: number; allowed: readonly string[] }
  onceKey: string
  /** Intent → form, in the page's order. A further condition is part of the value: `view.mine && { … }`. */
  steps: Readonly<Record<string, Step | false | null | undefined>>
}

/** The forms of the steps that the workflow allows now. */
export function StepForms({ view, onceKey, steps }: StepFormsProps) {
  return Object.entries(steps).map(([intent, step]) => {
    if (!step || !view.allowed.includes(step.event ?? intent)) return null
    const { event, ...form } = step
    return <ActionForm key={intent} intent={intent} version={view.version} onceKey={onceKey} {...form} />
  })
}

/** Says at the top of the page why the form was refused. */
export function Refusal({ title = 'Not saved.' }: { title?: string }) {
  const refused = useRefused({})
  if (!refused) return null
  return (
    <Banner tone="bad" title={title}>
      {refused.message}
    </Banner>
  )
}
