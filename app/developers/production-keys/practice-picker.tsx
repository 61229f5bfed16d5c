import { Form, Link, useLocation } from '@remix-run/react'
import { limits } from '../../../server/contract/http/limits.ts'
import type { Listed } from '../../../server/contract/portal/paging.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { Field } from '../../components/ui/field.tsx'
import { ListSearch, Pager } from '../../components/ui/list-tools.tsx'

export interface PickerProps {
  listed: Listed<{ slug: string; name: string; npi: string | null; place: string | null }>
  /** Why the practice of the address can't be asked. */
  wrong: string | null
  typed: string | null
}

/** A search and its list, without a script too; a practice that is on no list is named by its login slug. */
export function PracticePicker({ listed, wrong, typed }: PickerProps) {
  const { search, pathname } = useLocation()
  const others = [...new URLSearchParams(search)].filter(([name]) => name === 'from')
  const choose = (slug: string) => `${pathname}?${new URLSearchParams([...others, ['practice', slug]])}`
  return (
    <>
      {wrong !== null && <Banner tone="bad" title={wrong} />}
      <ListSearch label="Name, NPI or postal code of the practice" q={listed.q} />
      {listed.total === 0 ? (
        <p className="muted">
          {listed.q === '' ? 'No practice is listed yet.' : `No listed practice matches “${listed.q}”.`}
        </p>
      ) : (
        <Card label="Practices">
          <DataTable label="Practices" heads={['Practice', 'Place', 'NPI']}>
            {listed.rows.map(({ slug, name, npi, place }) => (
              <Row key={slug}>
                <Cell>
                  <Link className="label breaks" to={choose(slug)}>
                    {name}
                  </Link>
                </Cell>
                <Cell label="Place">{place ?? 'Not listed'}</Cell>
                <Cell label="NPI">{npi ?? 'Not listed'}</Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="practices" listed={listed} />
        </Card>
      )}
      <Card padded id="unlisted" title="Not on the list?">
        <Form method="get" action={pathname} className="stack">
          {others.map(([name, value]) => (
            <input type="hidden" key={name} name={name} value={value} />
          ))}
          <Field
            name="practice"
            label="Login slug of the practice"
            hint="The name it signs in under. Ask the practice for it."
            mono
            maxLength={limits.practiceIdMax}
            autoComplete="off"
            {...(typed !== null && { value: typed })}
          />
          <div>
            <Button type="submit">Use this practice</Button>
          </div>
        </Form>
      </Card>
    </>
  )
}
