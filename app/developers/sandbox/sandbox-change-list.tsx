import { sandboxChanges } from '../../../server/contract/lab/sandbox-changes.ts'
import type { ShownChange } from '../../../server/lab/sandbox/changes.ts'
import { useFresh } from '../../components/ui/fresh.ts'
import { LoaderCircle } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card, Moment, Tag } from '../../components/ui/page-parts.tsx'
import { Progress } from '../../components/ui/progress.tsx'

const lookEveryMs = 1_000

/** Changes of the sandbox's data, newest first. While one is running, the page reloads its data. */
export function SandboxChangeList({ changes, self }: { changes: readonly ShownChange[]; self: string }) {
  const running = changes.some(({ state }) => state === 'running')
  useFresh(running, lookEveryMs)
  return (
    <Card id="changes" title="Resets, snapshots and restores">
      <DataTable label="Resets, snapshots and restores" heads={['Action', 'Requested', 'State']}>
        {changes.map((change) => (
          <ChangeRow key={change.id} change={change} />
        ))}
      </DataTable>
      {running && (
        <noscript>
          <footer>
            <a href={self}>Check progress</a>
          </footer>
        </noscript>
      )}
    </Card>
  )
}

function ChangeRow({ change }: { change: ShownChange }) {
  const { kind, state, askedAt, askedBy } = change
  const { title, done } = sandboxChanges[kind]
  return (
    <Row>
      <Cell>
        <span className="label">{state === 'done' ? done : title}</span>
        <span className="sub">by {askedBy}</span>
      </Cell>
      <Cell label="Requested">
        <Moment at={askedAt} />
      </Cell>
      <Cell label="State">
        <ChangeState change={change} />
      </Cell>
    </Row>
  )
}

function ChangeState({ change }: { change: ShownChange }) {
  const { kind, state, finished, total, endedAt, failure } = change
  if (state === 'running') {
    return (
      <div className="stack tight">
        <div>
          <Tag tone="teal" icon={LoaderCircle}>
            {sandboxChanges[kind].running}
          </Tag>
        </div>
        <Progress label={sandboxChanges[kind].title} done={finished} max={total} unit="tables" />
      </div>
    )
  }
  return (
    <>
      <Tag tone={state === 'done' ? 'ok' : 'bad'}>{state === 'done' ? 'Done' : 'Failed'}</Tag>
      {failure && <span className="sub">{failure}</span>}
      {endedAt && (
        <span className="sub">
          <Moment at={endedAt} as="time" />
        </span>
      )}
    </>
  )
}
