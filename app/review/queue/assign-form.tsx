import { Form } from '@remix-run/react'
import type { ReviewerLoad } from '../../../server/domain/review-queue/workload.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Select } from '../../components/ui/form.tsx'
import { officeDay } from './office-day.ts'

/** Boxes of the queue belong to this form wherever they stand. */
export const assignFormId = 'assign'

/** Gives the ticked requests to one reviewer. */
export function AssignForm({ loads }: { loads: readonly ReviewerLoad[] }) {
  const options = loads.map(({ id, name, open, away }) => ({
    value: id,
    label: away
      ? `${name} (away until ${officeDay(away.untilOn)}, ${away.substitute} covers)`
      : `${name} (${open} assigned)`,
  }))
  return (
    <Form method="post" id={assignFormId} className="card pad filter one" aria-label="Assign requests">
      <SelectAll />
      <Select name="reviewer" label="Assign selected requests to" options={options} />
      <SubmitButton look="outline" name="intent" value="assign" busy="Assigning">
        Assign
      </SubmitButton>
    </Form>
  )
}

/** Ticks the boxes of the page; without a script each is ticked by itself. */
function SelectAll() {
  return (
    <label className="check needs-script col-span-full">
      <input
        type="checkbox"
        onChange={({ target: { checked } }) => {
          for (const box of document.querySelectorAll<HTMLInputElement>(`input[form="${assignFormId}"]`))
            box.checked = checked
        }}
      />
      <span>Select all requests on this page</span>
    </label>
  )
}
