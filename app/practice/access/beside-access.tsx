import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { agreementStateNames } from '../../../server/contract/workflows/agreement-workflow.ts'
import type { ListedAgreement } from '../../../server/domain/agreements/agreement-types.ts'
import type { Services } from '../../../server/services.ts'
import { CircleDot } from '../../components/ui/icons.ts'
import { Card, Moment } from '../../components/ui/page-parts.tsx'
import { Timeline } from '../../components/ui/timeline.tsx'
import { AgreementTag } from '../../shared/agreements/agreement-table.tsx'
import { changeWords } from '../../shared/practice/change-words.ts'

type Changes = Awaited<ReturnType<Services['practiceAudit']['changes']>>['rows']

/** The newest documents that keys stand on. */
export function AgreementsCard({ agreements }: { agreements: readonly ListedAgreement[] }) {
  return (
    <Card
      id="agreements"
      title="Agreements behind the keys"
      aside={
        <Link className="small" to={paths.practiceAgreements}>
          All agreements
        </Link>
      }
    >
      <ul className="pad list">
        {agreements.length === 0 && <li className="muted">None yet.</li>}
        {agreements.map((agreement) => (
          <li key={agreement.id}>
            <div className="row between">
              <Link className="label" to={paths.practiceAgreement(agreement.id)}>
                {agreement.kind === 'baa' ? 'BAA' : 'Usage agreement'} with {agreement.organization.name}
                {/* Several agreements with one organization are told apart by their state. */}
                <span className="sr">, {agreementStateNames[agreement.state]}</span>
              </Link>
              <AgreementTag state={agreement.state} yours={agreement.waitsFor.includes('practice')} />
            </div>
            {agreement.endsAt && (
              <p className="small muted">
                Ends <Moment at={agreement.endsAt} as="deadline" />. Without it, the key stops.
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What people and deadlines changed last. */
export function ChangesCard({ changes }: { changes: Changes }) {
  return (
    <Card
      id="changes"
      title="Recent changes"
      aside={
        <Link className="small" to={`${paths.practiceAudit}?view=changes`}>
          All changes
        </Link>
      }
    >
      <div className="pad">
        {changes.length === 0 ? (
          <p className="muted">None yet.</p>
        ) : (
          <Timeline
            entries={changes.map(({ id, who, action, at }) => ({
              key: id,
              icon: CircleDot,
              text: `${who}: ${changeWords(action)}`,
              at: <Moment at={at} />,
            }))}
          />
        )}
      </div>
    </Card>
  )
}
