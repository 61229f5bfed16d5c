import { Form } from '@remix-run/react'
import type { Services } from '../../../server/services.ts'
import { useFresh } from '../../components/ui/fresh.ts'
import { CircleCheck, LoaderCircle } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Button, Card, Moment, Tag, type Tone } from '../../components/ui/page-parts.tsx'
import { Progress } from '../../components/ui/progress.tsx'

type ShownExport = Awaited<ReturnType<Services['exportAdmin']['listForPractice']>>['rows'][number]

const lookEveryMs = 2_000
/** The types of a longer list are counted instead of named. */
const typesNamed = 3

interface ExportTableProps {
  label: string
  exports: readonly ShownExport[]
  /** The first column: the client for a practice, the practice for a developer. */
  by: 'client' | 'practice'
}

/** Exports, newest first. While one is running, the page reloads its data. */
export function ExportTable({ label, exports, by }: ExportTableProps) {
  useFresh(
    exports.some(({ state }) => state === 'running'),
    lookEveryMs,
  )
  return (
    <Card>
      <DataTable
        label={label}
        heads={[by === 'client' ? 'System' : 'Practice', 'What', 'Requested', 'State', 'Size']}
        act="Cancel export"
      >
        {exports.map((row) => (
          <ExportRow key={row.id} row={row} by={by} />
        ))}
      </DataTable>
    </Card>
  )
}

function ExportRow({ row, by }: { row: ShownExport; by: ExportTableProps['by'] }) {
  const { client, practice } = row
  const name = by === 'client' ? client.name : practice.name
  return (
    <Row>
      <Cell>
        <span className="label">{name}</span>
        <span className="sub">
          <code className="breaks">{by === 'client' ? client.clientId : practice.slug}</code>
        </span>
      </Cell>
      <Cell label="What">
        {whatOf(row.types)}
        <span className="sub">{row.since === null ? 'All records' : `Changed since ${row.since}`}</span>
      </Cell>
      <Cell label="Requested">
        <Moment at={row.askedAt} />
      </Cell>
      <Cell label="State">
        <StateOf row={row} name={name} />
      </Cell>
      <Cell label="Size">{sizeOf(row)}</Cell>
      <Cell>
        {row.cancellable && (
          <Form method="post">
            <input type="hidden" name="id" value={row.id} />
            <Button type="submit" look="danger" size="sm">
              {row.state === 'running' ? 'Cancel' : 'Withdraw'}
              <span className="sr">
                {' '}
                {row.state === 'running' ? 'the export' : 'the files'} of {name}
              </span>
            </Button>
          </Form>
        )}
      </Cell>
    </Row>
  )
}

const ends: Readonly<Record<Exclude<ShownExport['state'], 'running'>, { tone: Tone; word: string }>> = {
  complete: { tone: 'ok', word: 'Complete' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'quiet', word: 'Canceled' },
}

function StateOf({ row, name }: { row: ShownExport; name: string }) {
  if (row.state === 'running') {
    return (
      <div className="stack tight">
        <div>
          <Tag tone="teal" icon={LoaderCircle}>
            Running
          </Tag>
        </div>
        <Progress label={`Export of ${name}`} done={row.written} max={row.total} unit="resources" />
      </div>
    )
  }
  const { tone, word } = ends[row.state]
  return (
    <>
      <Tag tone={tone} icon={row.state === 'complete' ? CircleCheck : undefined}>
        {word}
      </Tag>
      {row.failure && <span className="sub">{row.failure}</span>}
      {row.state === 'complete' && row.linksEndAt && (
        <span className="sub">
          {row.cancellable ? 'Files available until ' : 'Files were available until '}
          <Moment at={row.linksEndAt} />
        </span>
      )}
      {row.state === 'cancelled' && row.endedAt && (
        <span className="sub">
          <Moment at={row.endedAt} />
        </span>
      )}
    </>
  )
}

function whatOf(types: readonly string[]): string {
  return types.length <= typesNamed ? types.join(', ') : `${types.length} types`
}

function sizeOf({ state, written, fileCount, bytes }: ShownExport): string {
  if (state !== 'complete') return '–'
  if (fileCount === 0) return 'Nothing to export'
  const files = fileCount === 1 ? '1 file' : `${fileCount} files`
  return `${written.toLocaleString('en-US')} resources, ${bytesText(bytes)} in ${files}`
}

function bytesText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString('en-US')} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}
