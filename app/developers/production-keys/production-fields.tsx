import { Form } from '@remix-run/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { limits } from '../../../server/contract/http/limits.ts'
import { dataClasses } from '../../../server/contract/keys/data-classes.ts'
import type { Listed } from '../../../server/contract/portal/paging.ts'
import { purposes } from '../../../server/contract/rest/purposes.ts'
import {
  type ProductionField,
  type ProductionLacks,
  productionFieldLabels,
} from '../../../server/contract/workflows/production-key-steps.ts'
import { productionKeyTimes } from '../../../server/contract/workflows/production-key-workflow.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { Checkboxes } from '../../components/ui/choice.tsx'
import { Field, optionsOf, Select, TextArea } from '../../components/ui/form.tsx'
import { Cell, DataTable, ListSearch, Pager, Row } from '../../components/ui/list.tsx'
import { Button, Card } from '../../components/ui/page-parts.tsx'
import { levelWords } from '../../shared/keys/key-words.tsx'

interface FieldsProps {
  draft: ProductionKeyView['draft']
  faults: ProductionLacks
}

interface SigningProps extends FieldsProps {
  owners: readonly { accountId: string; name: string }[]
}

/** The props of a form field for a field of the draft. */
function toField({ draft, faults }: FieldsProps, name: Exclude<ProductionField, 'purposes' | 'dataClasses'>) {
  return {
    name,
    label: productionFieldLabels[name],
    value: String(draft[name] ?? ''),
    fault: faults[name],
    autoComplete: 'off',
  }
}

export function UseFields(props: FieldsProps) {
  const { draft, faults } = props
  const { autoComplete, ...level } = toField(props, 'level')
  const { autoComplete: _off, ...why } = toField(props, 'justification')
  return (
    <>
      <Field
        {...toField(props, 'name')}
        hint="Say in a few words what the key is for. The practice sees this name."
        maxLength={80}
      />
      <Select {...level} options={optionsOf(levelWords)} hint="A full key needs two reviewers." />
      <TextArea
        {...why}
        rows={5}
        countTo={40}
        hint="At least 40 characters. This text becomes the service description in the BAA."
      />
      <Checkboxes
        name="purposes"
        legend={productionFieldLabels.purposes}
        hint="You agree to use the data only for these purposes. The API refuses requests that state another one."
        options={Object.entries(purposes).map(([value, sub]) => ({
          value,
          label: value.replaceAll('_', ' '),
          sub,
        }))}
        ticked={draft.purposes}
        fault={faults.purposes}
      />
      <Checkboxes
        name="dataClasses"
        legend={productionFieldLabels.dataClasses}
        hint="The key can read only these. Fields and records of other classes are absent from responses."
        options={optionsOf(dataClasses)}
        ticked={draft.dataClasses}
        fault={faults.dataClasses}
      />
      <Field
        {...toField(props, 'termDays')}
        type="number"
        hint={`At most ${productionKeyTimes.termDaysMax}. The practice can renew it with one click.`}
      />
    </>
  )
}

export function SigningFields({ owners, ...props }: SigningProps) {
  const { autoComplete, ...signatory } = toField(props, 'signatoryId')
  const options = owners.map(({ accountId, name }) => ({ value: accountId, label: name }))
  return (
    <>
      <Select
        {...signatory}
        options={
          props.draft.signatoryId === null ? [{ value: '', label: 'Choose an owner' }, ...options] : options
        }
        hint="An owner of the organization signs the agreement and the BAA."
      />
      <Field {...toField(props, 'signatoryName')} maxLength={120} />
      <Field
        {...toField(props, 'signatoryTitle')}
        hint="As it should appear under the signature."
        maxLength={120}
      />
    </>
  )
}

interface PickerProps {
  listed: Listed<{ slug: string; name: string; npi: string | null; place: string | null }>
  /** Hidden fields that are sent with the choice. */
  hidden: Readonly<Record<string, string | number>>
}

/** Searches for a practice, also without a script. A practice that isn't listed is chosen by its ID. */
export function PracticePicker({ listed, hidden }: PickerProps) {
  const fields = Object.entries({ ...hidden, intent: 'choose' }).map(([name, value]) => (
    <input type="hidden" key={name} name={name} value={value} />
  ))
  return (
    <>
      <ListSearch label="Name, NPI or postal code of the practice" q={listed.q} live />
      <p className="sr" role="status">
        {listed.q !== '' && `${listed.total} found`}
      </p>
      {listed.total === 0 ? (
        <p className="muted">
          {listed.q === '' ? 'No practice is listed yet.' : `No listed practice matches “${listed.q}”.`}
        </p>
      ) : (
        <Form method="post">
          {fields}
          <Card label="Practices">
            <DataTable label="Practices" heads={['Practice', 'Place', 'NPI']}>
              {listed.rows.map(({ slug, name, npi, place }) => (
                <Row key={slug}>
                  <Cell>
                    <button className="link label breaks" type="submit" name="practice" value={slug}>
                      {name}
                    </button>
                  </Cell>
                  <Cell label="Place">{place ?? 'Not listed'}</Cell>
                  <Cell label="NPI">{npi ?? 'Not listed'}</Cell>
                </Row>
              ))}
            </DataTable>
            <Pager label="practices" listed={listed} />
          </Card>
        </Form>
      )}
      <Card padded id="unlisted" title="Not on the list?">
        <Form method="post" className="stack">
          {fields}
          <Field
            name="practice"
            label="Practice ID"
            hint="The practice finds its ID under Settings in the practice console."
            mono
            maxLength={limits.practiceIdMax}
            autoComplete="off"
          />
          <Button type="submit">Choose practice</Button>
        </Form>
      </Card>
    </>
  )
}

/** @param lacks what the last autosaved input lacks, of which only fields that the person has changed are shown */
export function useChecks(answered: ProductionLacks, lacks: ProductionLacks | undefined) {
  const touched = useRef(new Set<ProductionField>())
  const [checked, setChecked] = useState<ProductionLacks>({})
  useEffect(() => {
    if (lacks) setChecked(Object.fromEntries([...touched.current].map((field) => [field, lacks[field]])))
  }, [lacks])

  const touch = ({ target }: FormEvent<HTMLFormElement>) =>
    touched.current.add((target as HTMLInputElement).name as ProductionField)
  return { touch, faults: { ...answered, ...checked } }
}
