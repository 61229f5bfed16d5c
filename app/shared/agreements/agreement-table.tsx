import { Link } from '@remix-run/react'
import { agreementStateNames } from '../../../server/contract/workflows/agreement-workflow.ts'
import {
  agreementKinds,
  type SigningSide,
  sidesOf,
  signingSides,
} from '../../../server/contract/workflows/agreements.ts'
import type { ListedAgreement } from '../../../server/domain/agreements/read-agreements.ts'
import { CircleDashed, Clock } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Moment, Tag, type Tone } from '../../components/ui/page-parts.tsx'

interface AgreementTableProps {
  label: string
  agreements: readonly (ListedAgreement & { yours: boolean })[]
  /** The side that reads. */
  side: SigningSide
  pathOf: (id: string) => string
}

const tones: Partial<Record<ListedAgreement['state'], Tone>> = {
  executed: 'ok',
  amended: 'ok',
  stalled: 'bad',
}

/** Waiting for a person: ink, because amber is for the reader's own turn. */
const underWay: readonly ListedAgreement['state'][] = ['offered', 'partially_signed', 'negotiation']

export function AgreementTable({ label, agreements, side, pathOf }: AgreementTableProps) {
  return (
    <DataTable label={label} heads={['Agreement', 'State', 'In force', 'Signatures']} middle>
      {agreements.map((each) => (
        <Row key={each.id}>
          <Cell>
            <Link to={pathOf(each.id)}>{agreementKinds[each.kind]}</Link>
            <p className="small muted">
              {side === 'practice' ? each.organization.name : (each.practice?.name ?? each.organization.name)}
              {each.replacesId && ', replaces an earlier one'}
            </p>
          </Cell>
          <Cell label="State">
            <AgreementTag state={each.state} yours={each.yours} />
            {each.returnTask && each.returnTask.attestedAt === null && (
              <p className="small">
                Return or destruction of data due by <Moment at={each.returnTask.dueAt} as="deadline" />
              </p>
            )}
          </Cell>
          <Cell label="In force">
            {each.effectiveAt && each.endsAt ? (
              <>
                <Moment at={each.effectiveAt} as="deadline" /> to <Moment at={each.endsAt} as="deadline" />
              </>
            ) : (
              'Not yet'
            )}
          </Cell>
          <Cell label="Signatures">
            <Signatures of={each} />
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}

/** A place for each side of the document: signed, with the day, or still empty. */
function Signatures({ of: { kind, signed } }: { of: AgreementTableProps['agreements'][number] }) {
  return (
    <ul className="stack hair">
      {sidesOf[kind].map((side) => {
        const at = signed.find((each) => each.side === side)?.at
        return (
          <li key={side} className="row small whole">
            <Tag bare tone={at ? 'ok' : 'quiet'} icon={at ? undefined : CircleDashed}>
              {signingSides[side]}
            </Tag>
            {at ? <Moment at={at} as="date" /> : 'not signed'}
          </li>
        )
      })}
    </ul>
  )
}

export function AgreementTag({ state, yours }: { state: ListedAgreement['state']; yours: boolean }) {
  if (yours && state !== 'stalled') return <Tag tone="turn">Your turn</Tag>
  const icon = underWay.includes(state) ? Clock : undefined
  return (
    <Tag tone={tones[state] ?? 'quiet'} icon={icon}>
      {agreementStateNames[state]}
    </Tag>
  )
}
