import { Form } from '@remix-run/react'
import { useId } from 'react'
import { SubmitButton } from '../ui/button.tsx'
import { type ActProps, Handle, keptBy, TextField } from './agreement-acts.tsx'

/** For the reader's side, whose signatory may not sign any more. */
export function NameSignatoryForm({ of, answer }: ActProps) {
  const id = useId()
  const kept = keptBy(answer, 'nameSignatory')
  return (
    <section className="card" aria-labelledby="name-signatory">
      <div className="head">
        <h2 id="name-signatory">Name who signs for you</h2>
      </div>
      <Form method="post" className="pad stack">
        <Handle of={of} intent="nameSignatory" />
        <p>
          Whoever the document names for your side may not sign any more. Naming somebody else makes a new
          version; signatures on the present one will not count.
        </p>
        <div className="field">
          <label htmlFor={id}>Who signs</label>
          <select className="input" id={id} name="accountId" defaultValue={kept?.accountId}>
            {of.candidates.map(({ accountId, name }) => (
              <option key={accountId} value={accountId}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <TextField name="legalName" label="Their legal name" value={kept?.legalName} answer={answer} />
        <TextField name="title" label="Their title" value={kept?.title} answer={answer} />
        <div>
          <SubmitButton busy="Sending">Send the new version</SubmitButton>
        </div>
      </Form>
    </section>
  )
}
