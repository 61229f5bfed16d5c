/** Two versions of an agreement next to each other. */
import { Form, Link, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import {
  baaClauseNames,
  baaClauses,
  signingSides,
  templateClauses,
  toClausePlaces,
} from '../../server/contract/workflows/agreements.ts'
import type { AgreementPage } from '../../server/domain/agreements/read-agreements.ts'
import { Select } from '../components/ui/form.tsx'
import { Cell, DataTable, Row } from '../components/ui/list.tsx'
import { Button, Card, Moment, PageHeader, Tag } from '../components/ui/page-parts.tsx'
import { pairLines } from '../lib/side-by-side.ts'
import { page } from '../services.server.ts'
import { Hash } from '../shared/agreements/signature-fields.tsx'
import { RealmPage } from '../shared/frames/realm-page.tsx'
import { getAgreement } from './agreement.server.ts'
import { baaFieldLabels } from './baa-field-labels.ts'

export const meta = () => [{ title: 'Compare versions · Sandpiper' }]
export const handle = { here: 'Agreements' }

type Version = AgreementPage['versions'][number]

/** The versions in the query, or else the last two. @throws a 404 page for an unknown version */
export const loader = page(async (args) => {
  const { agreement, self } = await getAgreement(args)
  const { versions } = agreement
  const query = new URL(args.request.url).searchParams
  const find = (name: string, or: Version | undefined) => {
    const version = query.get(name)
    const found = version === null ? or : versions.find(({ number }) => String(number) === version)
    if (!found) throw data({ message: 'This agreement has no such version.' }, { status: 404 })
    return found
  }
  const [newest, before = newest] = versions
  const [left, right] = [find('from', before), find('to', newest)]
  return {
    self,
    numbers: versions.map(({ number }) => number).sort((one, other) => one - other),
    left: headOf(left),
    right: headOf(right),
    fields: fieldsOf(left, right),
    clauses:
      left.source === 'upload' || right.source === 'upload'
        ? baaClauseNames.map((clause) => ({
            label: baaClauses[clause],
            left: placeOf(left, clause),
            right: placeOf(right, clause),
          }))
        : [],
    lines:
      left.markdown === null || right.markdown === null
        ? null
        : pairLines(left.markdown, right.markdown).filter((row) => row.left !== '' || row.right !== ''),
  }
})

function headOf({ number, source, fileName, sha256, comment, createdAt, bySide }: Version) {
  return { number, isUpload: source === 'upload', fileName, sha256, comment, createdAt, bySide }
}

function placeOf(version: Version, clause: (typeof baaClauseNames)[number]): string {
  if (version.source !== 'upload') return templateClauses[clause]
  return toClausePlaces(version.clausePlaces)[clause] ?? 'Selected, without a place'
}

function fieldsOf(left: Version, right: Version) {
  const [one, other] = [left.fields, right.fields] as Record<string, string | number>[]
  return [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])].map((name) => ({
    label: baaFieldLabels[name] ?? name,
    left: String(one?.[name] ?? ''),
    right: String(other?.[name] ?? ''),
  }))
}

type Compared = Awaited<ReturnType<typeof loader>>

/** Fields, clauses and text of two versions, each difference marked. */
export default function CompareAgreement() {
  const of = useLoaderData<typeof loader>()
  const { left, right, numbers, fields, clauses, lines } = of
  const options = numbers.map((number) => ({ value: String(number), label: `Version ${number}` }))
  return (
    <RealmPage>
      <PageHeader title="Compare versions">
        Each difference is marked “Changed”. <Link to={of.self}>Back to the agreement</Link>
      </PageHeader>
      <Form method="get" className="card pad filter" aria-label="Choose versions">
        <Select name="from" label="Left" value={String(left.number)} options={options} />
        <Select name="to" label="Right" value={String(right.number)} options={options} />
        <div className="row">
          <Button type="submit">Compare</Button>
        </div>
      </Form>
      <div className="grid g2">
        <VersionCard of={left} self={of.self} />
        <VersionCard of={right} self={of.self} />
      </div>
      <Pairs title="Terms" head="Term" rows={fields} left={left.number} right={right.number} />
      {clauses.length > 0 && (
        <Pairs
          title="Where each clause is"
          head="Clause"
          rows={clauses}
          left={left.number}
          right={right.number}
        />
      )}
      {lines === null ? (
        <Card padded label="Text">
          <p>An uploaded document has no text here. Download both files to read them side by side.</p>
        </Card>
      ) : (
        <Card id="text" title="Text">
          <DataTable label="Text" heads={['Difference', `Version ${left.number}`, `Version ${right.number}`]}>
            {lines.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines never change their order
              <Pair key={place} of={row} left={left.number} right={right.number} />
            ))}
          </DataTable>
        </Card>
      )}
    </RealmPage>
  )
}

function VersionCard({ of, self }: { of: Compared['left']; self: string }) {
  const side = of.bySide && signingSides[of.bySide as keyof typeof signingSides]
  return (
    <Card padded title={`Version ${of.number}`}>
      <p>
        {of.isUpload ? `Uploaded: ${of.fileName}` : 'Our template'}, <Moment at={of.createdAt} />
        {side && `, by the ${side}`}
      </p>
      {of.comment && <p className="breaks">Reason: {of.comment}</p>}
      <p>
        <a href={`${self}/files/${of.number}`} download>
          Download version {of.number} (PDF)
        </a>
      </p>
      <Hash label={`SHA-256 of version ${of.number}`} value={of.sha256} />
    </Card>
  )
}

interface PairsProps {
  title: string
  head: string
  rows: readonly { label: string; left: string; right: string }[]
  left: number
  right: number
}

function Pairs({ title, head, rows, left, right }: PairsProps) {
  return (
    <Card title={title}>
      <DataTable label={title} heads={[head, `Version ${left}`, `Version ${right}`]}>
        {rows.map((row) => (
          <Pair key={row.label} of={row} label={row.label} left={left} right={right} />
        ))}
      </DataTable>
    </Card>
  )
}

interface PairProps {
  of: { left: string | null; right: string | null }
  label?: string
  left: number
  right: number
}

function Pair({ of: pair, label, left, right }: PairProps) {
  return (
    <Row>
      <Cell>
        {label && <span className="label">{label} </span>}
        {pair.left !== pair.right && <Tag tone="turn">Changed</Tag>}
      </Cell>
      <Cell label={`Version ${left}`} className="breaks">
        {pair.left ?? '–'}
      </Cell>
      <Cell label={`Version ${right}`} className="breaks">
        {pair.right ?? '–'}
      </Cell>
    </Row>
  )
}
