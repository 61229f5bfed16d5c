import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { Services } from '../../../server/services.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { EyeOff } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import type { Serialized } from '../../lib/serialized.ts'

type Person = Serialized<Awaited<ReturnType<Services['ownAccess']['records']>>>[number]
type Reading = Serialized<Awaited<ReturnType<Services['ownAccess']['readings']>>>[number]

/** Only where somebody acts for several patients. */
export function People({ people, place }: { people: readonly Person[]; place: number }) {
  if (people.length < 2) return null
  return (
    <Tabs
      label="Patients"
      tabs={people.map(({ name, practice }, at) => ({
        to: `${paths.patientAccess}?person=${at}`,
        label: `${name ?? 'No chart'}, ${practice.name}`,
        current: at === place,
      }))}
    />
  )
}

/** Whether the practice withholds the records, the last request, and the form for one. */
export function NoMoreAccess({ of, onceKey }: { of: Person; onceKey: string }) {
  const { practice, request, withheld } = of
  if (withheld)
    return (
      <Banner tone="wait" icon={EyeOff} title="No key or app reads these records.">
        {practice.name} withholds them, also from apps that you allowed. Ask the practice if you want your
        records, or want this to end.
      </Banner>
    )
  if (request?.state === 'open')
    return (
      <Banner tone="wait" icon={EyeOff} title="You requested no further access.">
        Sent <Moment at={request.createdAt} />. {practice.name} decides, and you get an email. Until then keys
        and apps can read these records.
      </Banner>
    )
  return (
    <>
      {request?.state === 'declined' && (
        <Banner tone="bad" title="Your practice declined your request.">
          {request.decidedAt && <Moment at={request.decidedAt} />} Reason: {request.answer}
        </Banner>
      )}
      <ActionForm
        intent="ask"
        version={0}
        onceKey={onceKey}
        title="Ask for no further access"
        text={`Ask ${practice.name} to withhold these records from every key and app, also from apps that you allowed. The practice decides. To end the access of one app, stop it under “Apps you allowed”.`}
        button="Ask the practice"
      >
        <input type="hidden" name="practice" value={practice.id} />
        <input type="hidden" name="patient" value={of.patientId} />
      </ActionForm>
    </>
  )
}

/** @param manage where the person stops the apps that they allowed */
export function Readings({ rows, manage }: { rows: readonly Reading[]; manage: string }) {
  return (
    <Card title="Access">
      <DataTable label="Who read the records" heads={['Reader', 'What', 'Purpose', 'Times', 'Last']}>
        {rows.map(({ recipient, what, purpose, count, firstAt, lastAt, allowed }) => (
          <Row key={`${recipient.name} ${recipient.through} ${what} ${purpose}`}>
            <Cell>
              <span className="label">{recipient.through ?? recipient.name}</span>
              <span className="sub">
                {recipient.through !== recipient.name && recipient.name}
                {allowed && (
                  <>
                    {' '}
                    You allowed it. <Link to={manage}>Stop it</Link>
                  </>
                )}
              </span>
            </Cell>
            <Cell label="What">{what}</Cell>
            <Cell label="Purpose">{purpose}</Cell>
            <Cell label="Times">{count.toLocaleString('en-US')}</Cell>
            <Cell label="Last">
              <Moment at={lastAt} />
              {count > 1 && (
                <span className="sub">
                  First <Moment at={firstAt} />
                </span>
              )}
            </Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}
