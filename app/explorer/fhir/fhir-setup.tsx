import { Form } from '@remix-run/react'
import { SubmitButton } from '../../components/ui/button.tsx'
import { ChoiceList } from '../inputs/choice-list.tsx'
import { PracticeSelect } from '../inputs/practice-select.tsx'

interface SetupProps {
  practices: readonly { slug: string; name: string }[]
  practice: string
  as: string
  /** The chart that references are offered of. */
  about: string
  people: readonly { id: string; name: string }[]
  clinicians: readonly { id: string; name: string }[]
  types: readonly string[]
  type: string
}

/** Where, as whom, and what kind of resource. Sent with GET: every set-up of the builder has an address. */
export function FhirSetup({ practices, practice, as, about, people, clinicians, types, type }: SetupProps) {
  const isListed =
    people.some(({ id }) => as === `patient:${id}`) || clinicians.some(({ id }) => as === `clinician:${id}`)
  const other = isListed || !as.startsWith('patient:') ? '' : as.slice('patient:'.length)
  return (
    <Form method="get" className="card pad stack" aria-label="Set-up">
      <div className="builder-values">
        <PracticeSelect practices={practices} practice={practice} />
        <div className="field">
          <label htmlFor="as">Token for</label>
          <select className="input" id="as" name="as" defaultValue={isListed ? as : undefined}>
            <optgroup label="Patients">
              {people.map(({ id, name }) => (
                <option key={id} value={`patient:${id}`}>
                  {name}
                </option>
              ))}
            </optgroup>
            <optgroup label="Clinicians">
              {clinicians.map(({ id, name }) => (
                <option key={id} value={`clinician:${id}`}>
                  {name}
                </option>
              ))}
            </optgroup>
          </select>
        </div>
        <div className="field">
          <label htmlFor="other">Or enter a patient ID</label>
          <input
            className="input mono"
            id="other"
            name="other"
            maxLength={64}
            defaultValue={other}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        {as.startsWith('clinician:') && (
          <div className="field">
            <label htmlFor="about">Chart</label>
            <input
              className="input mono"
              id="about"
              name="about"
              list="about-list"
              maxLength={64}
              defaultValue={about}
              autoComplete="off"
              spellCheck={false}
            />
            <ChoiceList
              id="about-list"
              choices={people.map(({ id, name }) => ({ value: id, display: name }))}
            />
          </div>
        )}
        <div className="field">
          <label htmlFor="type">Resource type</label>
          <select className="input" id="type" name="type" defaultValue={type}>
            {types.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </div>
      </div>
      <div className="row">
        <SubmitButton look="outline">Show its parameters</SubmitButton>
      </div>
    </Form>
  )
}
