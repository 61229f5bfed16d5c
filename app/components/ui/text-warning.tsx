import { useActionData } from '@remix-run/react'
import { useId } from 'react'
import type { SentTextReview } from '../../lib/text-review.server.ts'
import { TriangleAlert } from './icons.ts'

interface Place {
  /** The field's name in the domain. */
  field: string
  /** The form and its row, on a page with several forms. */
  intent?: string | undefined
  about?: string | undefined
}

/** The warning about a field of the form that was just sent; null if there is none. */
export function useTextWarning({ field, intent, about }: Place): SentTextReview | null {
  const answer = useActionData() as { textReview?: SentTextReview } | undefined
  const review = answer?.textReview
  if (!review || review.field !== field) return null
  if (intent !== undefined && review.intent !== intent) return null
  return (about === undefined ? !review.ofRow : review.about === about) ? review : null
}

/** The warning below a field. The author changes the text, or gives a reason to keep it. */
function TextWarning({ id, ...place }: Place & { id?: string | undefined }) {
  const review = useTextWarning(place)
  const reasonId = useId()
  if (!review) return null
  const { field, message, reasonLength, reasonFault, kept, reason } = review
  return (
    <fieldset className="text-warning">
      <legend className="sr">Warning about this text</legend>
      <p className="err" id={id} role="alert">
        <TriangleAlert className="i" />
        {message}
      </p>
      <p>
        Remove the value and submit the form again. If it isn’t real, you can keep the text and explain why.
      </p>
      {kept
        .filter((name) => name !== field)
        .map((name) => (
          <input key={name} type="hidden" name="keepText" value={name} />
        ))}
      <label className="check">
        <input type="checkbox" name="keepText" value={field} defaultChecked={kept.includes(field)} />
        <span>Keep the text: it contains no real secret or patient details.</span>
      </label>
      <div className={reasonFault ? 'field bad' : 'field'}>
        <label htmlFor={reasonId}>Reason</label>
        <textarea
          className="input"
          id={reasonId}
          name="keepReason"
          rows={2}
          maxLength={reasonLength.max}
          defaultValue={reason}
          aria-invalid={reasonFault ? true : undefined}
          aria-describedby={[`${reasonId}-hint`, reasonFault ? `${reasonId}-fault` : ''].join(' ').trim()}
        />
        <p className="hint" id={`${reasonId}-hint`}>
          {reasonLength.min} to {reasonLength.max} characters. The audit log stores it with your name.
        </p>
        {reasonFault && (
          <p className="err" id={`${reasonId}-fault`}>
            <TriangleAlert className="i" />
            {reasonFault}
          </p>
        )}
      </div>
    </fieldset>
  )
}

/** The error of a field, or the warning about its text in its place. */
export function FieldFault({ fault, id, ...place }: Place & { fault?: string | undefined; id?: string }) {
  const warning = useTextWarning(place)
  if (warning) return <TextWarning {...place} id={id} />
  if (!fault) return null
  return (
    <p className="err" id={id}>
      <TriangleAlert className="i" />
      {fault}
    </p>
  )
}
