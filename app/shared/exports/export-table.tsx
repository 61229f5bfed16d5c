import { Form } from '@remix-run/react'
import type { Services } from '../../../server/services.ts'
import { useFresh } from '../../components/ui/fresh.ts'
import { CircleCheck, LoaderCircle } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Button, Card, Moment, Tag, type Tone } from '../../components/ui/page-parts.tsx'
import { Progress } from '../../components/ui/progress.tsx'

type ShownExport = Awaited<ReturnType<Services['exportAdmin']['listForPractice']>>['rows'][number]

const lookEveryMs = 2_000
/** More than these are counted. */
const typesNamed = 3

interface ExportTableProps {
  label: string
  exports: readonly ShownExport[]
  /** Whose name a row begins with: the practice reads who asked, the developer where. */
  by: 'client' | 'practice'
}

/** Exports, the newest first; while one runs the page keeps itself up to date. */
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
        {exports.map((each) => (
          <ExportRow key={each.id} of={each} by={by} />
        ))}
      </DataTable>
    </Card>
  )
}

function ExportRow({ of, by }: { of: ShownExport; by: ExportTableProps['by'] }) {
  const { client, practice } = of
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
        {whatOf(of.types)}
        <span className="sub">{of.since === null ? 'All records' : `Changed since ${of.since}`}</span>
      </Cell>
      <Cell label="Requested">
        <Moment at={of.askedAt} />
      </Cell>
      <Cell label="State">
        <StateOf of={of} name={name} />
      </Cell>
      <Cell label="Size">{sizeOf(of)}</Cell>
      <Cell>
        {of.cancellable && (
          <Form method="post">
            <input type="hidden" name="id" value={of.id} />
            <Button type="submit" look="danger" size="sm">
              {of.state === 'running' ? 'Cancel' : 'Withdraw'}
              <span className="sr">
                {' '}
                {of.state === 'running' ? 'the export' : 'the files'} of {name}
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

function StateOf({ of, name }: { of: ShownExport; name: string }) {
  if (of.state === 'running') {
    return (
      <div className="stack tight">
        <div>
          <Tag tone="teal" icon={LoaderCircle}>
            Running
          </Tag>
        </div>
        <Progress label={`Export of ${name}`} done={of.written} max={of.total} unit="resources" />
      </div>
    )
  }
  const { tone, word } = ends[of.state]
  return (
    <>
      <Tag tone={tone} icon={of.state === 'complete' ? CircleCheck : undefined}>
        {word}
      </Tag>
      {of.failure && <span className="sub">{of.failure}</span>}
      {of.state === 'complete' && of.linksEndAt && (
        <span className="sub">
          {of.cancellable ? 'Files available until ' : 'Files were available until '}
          <Moment at={of.linksEndAt} />
        </span>
      )}
      {of.state === 'cancelled' && of.endedAt && (
        <span className="sub">
          <Moment at={of.endedAt} />
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
