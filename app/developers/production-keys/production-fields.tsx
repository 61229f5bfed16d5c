import { dataClasses } from '../../../server/contract/keys/data-classes.ts'
import { purposes } from '../../../server/contract/rest/purposes.ts'
import {
  type ProductionField,
  type ProductionLacks,
  productionFieldLabels,
} from '../../../server/contract/workflows/production-key-steps.ts'
import { productionKeyTimes } from '../../../server/contract/workflows/production-key-workflow.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { Checkboxes } from '../../components/ui/choice.tsx'
import { Field, optionsOf, Select, TextArea } from '../../components/ui/field.tsx'
import { levelWords } from '../../shared/production-keys/production-parts.tsx'

interface FieldsProps {
  draft: ProductionKeyView['draft']
  faults: ProductionLacks
}

interface SigningProps extends FieldsProps {
  owners: readonly { accountId: string; name: string }[]
}

/** What a field of the kit needs to know of a field of the draft. */
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
