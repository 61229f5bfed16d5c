import { Form } from '@remix-run/react'
import { limits } from '../../../server/contract/http/limits.ts'
import type { Listed } from '../../../server/contract/portal/paging.ts'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { Field } from '../../components/ui/field.tsx'
import { ListSearch, Pager } from '../../components/ui/list-tools.tsx'

interface PickerProps {
  listed: Listed<{ slug: string; name: string; npi: string | null; place: string | null }>
  /** Sent with the choice. */
  hidden: Readonly<Record<string, string | number>>
}

/** A search and its list, without a script too; a practice that is on no list is named by its login slug. */
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
          <div>
            <Button type="submit">Choose practice</Button>
          </div>
        </Form>
      </Card>
    </>
  )
}
