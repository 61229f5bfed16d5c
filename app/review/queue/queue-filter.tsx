import { Form } from '@remix-run/react'
import { searchCharactersMax } from '../../../server/contract/portal/paging.ts'
import { queueStages, reviewKinds } from '../../../server/contract/workflows/review-queue.ts'
import type { QueueAsk } from '../../../server/domain/review-queue/queue.ts'
import { Button } from '../../components/ui/button.tsx'

/** Filters by what the address says; without a script too. */
export function QueueFilter({ ask }: { ask: QueueAsk }) {
  return (
    <Form
      method="get"
      className="card pad queue-filter"
      role="search"
      aria-label="Filters"
      key={`${ask.q} ${ask.kind} ${ask.stage}`}
    >
      {ask.view !== 'all' && <input type="hidden" name="view" value={ask.view} />}
      <Choice
        name="kind"
        label="Kind"
        value={ask.kind ?? ''}
        options={[['', 'All kinds'], ...Object.entries(reviewKinds)]}
      />
      <Choice name="stage" label="Stage" value={ask.stage} options={Object.entries(queueStages)} />
      <div className="field">
        <label htmlFor="q">App, key or organization</label>
        <input
          className="input"
          id="q"
          name="q"
          type="search"
          defaultValue={ask.q}
          maxLength={searchCharactersMax}
        />
      </div>
      <Button type="submit">Filter</Button>
    </Form>
  )
}

interface ChoiceProps {
  name: string
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
}

function Choice({ name, label, value, options }: ChoiceProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <select className="input" id={name} name={name} defaultValue={value}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}
