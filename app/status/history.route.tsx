import { useLoaderData } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { componentIds, components } from '../../server/contract/status/components.ts'
import { Cell, DataTable, Row } from '../components/ui/list.tsx'
import { Card, PageHeader } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'
import { StateTag } from '../shared/status/state-tag.tsx'
import { PastIncident } from '../shared/status/status-incident.tsx'
import { noPastWords } from '../shared/status/status-words.ts'
import { DatabaseAway, SampleHistory } from './record-notes.tsx'
import { dayWords, describeDay, describeDays } from './status-bars.tsx'

export const meta = () => [{ title: 'Status history · Sandpiper' }]
export const handle = { still: true }

export const loader = page(async ({ context }) => {
  const { days, past, reachable, recordsAt, sampleDataUntil } = await context.services.status.page()
  return {
    past,
    reachable,
    recordsAt,
    sampleDataUntil,
    rows: componentIds.map((id) => ({
      id,
      name: components[id].name,
      words: describeDays(days[id]),
      // Only days on which the worst state was not `operational`.
      days: days[id]
        .filter(({ worst }) => worst !== null && worst !== 'operational' && worst !== 'disabled')
        .toReversed(),
    })),
  }
})

export default function StatusHistory() {
  const { rows, past, reachable, recordsAt, sampleDataUntil } = useLoaderData<typeof loader>()
  return (
    <PublicFrame plain>
      <div className="wrap st">
        <PageHeader title="Status history">
          Past incidents and maintenance, and the last 90 days in numbers. Days are in UTC.{' '}
          <a href={paths.status}>Current status</a>
        </PageHeader>
        {sampleDataUntil && <SampleHistory until={sampleDataUntil} />}
        {!reachable && <DatabaseAway recordsAt={recordsAt} />}
        <Card padded id="ended" title="Incidents and maintenance">
          {past.length === 0 && <p className="muted">{noPastWords({ recordsAt })}</p>}
          {past.map((incident) => (
            <PastIncident key={incident.id} incident={incident} />
          ))}
        </Card>
        {(recordsAt === null ? [] : rows).map(({ id, name, words, days }) => (
          <Card key={id} id={`days-${id}`} title={name} aside={<span className="small muted">{words}</span>}>
            {days.length > 0 && (
              <DataTable label={`Days of ${name}`} heads={['Day', 'Worst state', 'Duration']}>
                {days.map((day) => (
                  <Row key={day.day}>
                    <Cell>{dayWords(day)}</Cell>
                    <Cell label="Worst state">
                      <StateTag state={day.worst ?? 'not_available'} />
                    </Cell>
                    <Cell label="Duration">{describeDay(day)}</Cell>
                  </Row>
                ))}
              </DataTable>
            )}
          </Card>
        ))}
      </div>
    </PublicFrame>
  )
}
