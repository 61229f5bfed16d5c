import { Link } from '@remix-run/react'
import {
  agreementKinds,
  baaClauseNames,
  baaClauses,
  type ClausePlaces,
  signingSides,
  templateClauses,
} from '../../server/contract/workflows/agreements.ts'
import { CheckCheck, CircleDot, FileText } from '../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../components/ui/list.tsx'
import { Card, Facts, Moment } from '../components/ui/page-parts.tsx'
import { Timeline } from '../components/ui/timeline.tsx'
import { agreementEventWords } from '../shared/agreements/agreement-events.ts'
import { AgreementTag } from '../shared/agreements/agreement-table.tsx'
import { Hash } from '../shared/agreements/signature-fields.tsx'
import { KeyData } from '../shared/keys/key-words.tsx'
import type { agreementLoader } from './agreement.server.ts'

export type AgreementData = Awaited<ReturnType<typeof agreementLoader>>

export function AgreementFacts({ view }: { view: AgreementData }) {
  const yours = view.signatories.some(({ side, isYou }) => isYou && view.waitsFor.includes(side))
  return (
    <Card id="facts" title="At a glance" aside={<AgreementTag state={view.state} yours={yours} />}>
      <Facts
        className="pad facts wide"
        of={{
          Developer: view.organizationName,
          Practice: view.practiceName,
          ...(view.kind === 'baa' && {
            'Data and purposes': <KeyData of={view} />,
            Access: view.level === 'full' ? 'Reads and writes' : 'Read-only',
          }),
          'In force': view.effectiveAt && view.endsAt && (
            <>
              <Moment at={view.effectiveAt} as="deadline" /> to <Moment at={view.endsAt} as="deadline" />
            </>
          ),
          [view.endedAt ? 'Reason it ended' : 'Reason for notice']: view.endReason && (
            <span className="breaks">{view.endReason}</span>
          ),
          'Kept until': view.retainUntil && <Moment at={view.retainUntil} as="deadline" />,
        }}
      />
    </Card>
  )
}

/** The document's text, and the file that a signature binds. */
export function AgreementDocument({ view }: { view: AgreementData }) {
  const { offered } = view
  return (
    <Card
      id="document"
      title={view.executed ? 'The signed document' : `The document, version ${offered.number}`}
    >
      {offered.html === null ? (
        <div className="pad stack">
          <p>
            One side uploaded this file. We keep what its pages show, without links, scripts or attached
            files. Download and read it. The side that uploaded it says where it has each clause. By signing,
            you confirm that.
          </p>
          <ClauseTable places={offered.clausePlaces} />
        </div>
      ) : (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text; HTML and Markdown of its fields escaped by merge-text.ts and markdown.server.ts
        <article className="pad prose agreement" dangerouslySetInnerHTML={{ __html: offered.html }} />
      )}
      <div className="pad border-t stack tight">
        <p>
          <a href={`${view.self}/files/${offered.number}`} download>
            Download the document to sign (PDF)
          </a>
        </p>
        {view.versions.length > 1 && (
          <p>
            <Link to={`${view.self}/compare`}>Compare versions side by side</Link>
          </p>
        )}
        <Hash label="SHA-256 of the document to sign" value={offered.sha256} />
        {view.executed && (
          <>
            <p>
              <a href={`${view.self}/files/executed`} download>
                Download the executed document with its certificate (PDF)
              </a>
            </p>
            <Hash label="SHA-256 of the executed document" value={view.executed.sha256} />
            <p className="small muted">
              Anyone who has the file can check it under <a href="/verify">Verify a document</a>.
            </p>
          </>
        )}
      </div>
    </Card>
  )
}

/** The events of an agreement, newest first. */
export function AgreementHistory({ view }: { view: AgreementData }) {
  const entries = [...view.events].reverse().map(({ id, at, event, side, text }) => ({
    key: id,
    icon:
      event.startsWith('sign') || event === 'counter_sign'
        ? CheckCheck
        : event === 'offer'
          ? FileText
          : CircleDot,
    text: (
      <>
        {agreementEventWords[event] ?? event}
        {side && ` by the ${signingSides[side as keyof typeof signingSides] ?? side}`}
        {text && <span className="breaks">: {text}</span>}
      </>
    ),
    at: <Moment at={at} />,
  }))
  return (
    <Card id="history" title={<>History of {agreementKinds[view.kind].toLowerCase()}</>}>
      <div className="pad">
        <Timeline entries={entries} />
      </div>
    </Card>
  )
}

/** Where our template and an uploaded document have each clause of a BAA. */
function ClauseTable({ places }: { places: ClausePlaces }) {
  return (
    <DataTable label="Clauses" heads={['Clause', 'Our template', 'This document']}>
      {baaClauseNames.map((clause) => (
        <Row key={clause}>
          <Cell>{baaClauses[clause]}</Cell>
          <Cell label="Our template">{templateClauses[clause]}</Cell>
          <Cell label="This document" className="breaks">
            {places[clause] ?? 'Selected, without a place'}
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}
