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
  /** The reader's side. */
  side: SigningSide
  pathOf: (id: string) => string
}

const tones: Partial<Record<ListedAgreement['state'], Tone>> = {
  executed: 'ok',
  amended: 'ok',
  stalled: 'bad',
}

/** States that wait for a person. Their tag is not amber, because amber means that it is the reader's turn. */
const underWay: readonly ListedAgreement['state'][] = ['offered', 'partially_signed', 'negotiation']

export function AgreementTable({ label, agreements, side, pathOf }: AgreementTableProps) {
  return (
    <DataTable label={label} heads={['Agreement', 'State', 'In force', 'Signatures']} middle>
      {agreements.map((row) => (
        <Row key={row.id}>
          <Cell>
            <Link to={pathOf(row.id)}>{agreementKinds[row.kind]}</Link>
            <p className="small muted">
              {side === 'practice' ? row.organization.name : (row.practice?.name ?? row.organization.name)}
              {row.replacesId && ', replaces an earlier one'}
            </p>
          </Cell>
          <Cell label="State">
            <AgreementTag state={row.state} yours={row.yours} />
            {row.returnTask && row.returnTask.attestedAt === null && (
              <p className="small">
                Return or destruction of data due by <Moment at={row.returnTask.dueAt} as="deadline" />
              </p>
            )}
          </Cell>
          <Cell label="In force">
            {row.effectiveAt && row.endsAt ? (
              <>
                <Moment at={row.effectiveAt} as="deadline" /> to <Moment at={row.endsAt} as="deadline" />
              </>
            ) : (
              'Not yet'
            )}
          </Cell>
          <Cell label="Signatures">
            <Signatures agreement={row} />
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}

/** Whether each side has signed, and on which day. */
function Signatures({ agreement }: { agreement: AgreementTableProps['agreements'][number] }) {
  return (
    <ul className="stack hair">
      {sidesOf[agreement.kind].map((side) => {
        const at = agreement.signed.find((signature) => signature.side === side)?.at
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
