import { Link } from '@remix-run/react'
import type { AssertionReport } from '../../../server/domain/clients/client-types.ts'
import { ContractForm, Field, TextArea } from '../../components/ui/form.tsx'
import { CircleCheck, TriangleAlert } from '../../components/ui/icons.ts'
import { Banner, Card, Moment } from '../../components/ui/page-parts.tsx'
import { AssertionFindings, firstFault } from './assertion-report.tsx'

interface AssertionDoctorProps {
  /** The path of the app's log. */
  callPage: string
  attempts: readonly { id: string; at: Date; correlationId: string; report: AssertionReport }[]
  /** The report on the assertion that was pasted last. */
  report: AssertionReport | null
}

/** Checks a signed assertion as the token endpoint would, and reports all faults at once. */
export function AssertionDoctor({ callPage, attempts, report }: AssertionDoctorProps) {
  return (
    <Card
      id="doctor-title"
      title="Assertion Doctor"
      aside={<span className="small muted">Has no side effects and stores nothing you paste</span>}
    >
      <ContractForm
        labels={{ practice: 'Practice', assertion: 'Assertion' }}
        id="doctor"
        button="Check assertion"
        busy="Checking"
        look="outline"
        intent="doctor"
        className="pad stack"
      >
        <Field name="practice" hint="The short name in its FHIR base URL." spellCheck={false} mono />
        <TextArea
          name="assertion"
          hint="The value of client_assertion: three parts separated by dots."
          rows={5}
        />
      </ContractForm>
      {report && (
        <div className="pad stack border-t" role="status">
          <Banner
            tone={report.accepted ? 'ok' : 'turn'}
            icon={report.accepted ? CircleCheck : TriangleAlert}
            title={
              report.accepted ? 'The token endpoint would accept it.' : 'The token endpoint would refuse it.'
            }
          >
            {report.accepted
              ? 'The assertion was not used up. You can still send it.'
              : 'Fix the failed checks below, from the top.'}
          </Banner>
          <AssertionFindings report={report} label="Checks of the assertion" />
        </div>
      )}
      {attempts.length > 0 && (
        <div className="pad stack border-t">
          <h3>Refused at the token endpoint</h3>
          <ul className="stack tight plain">
            {attempts.map(({ id, at, correlationId, report: past }) => (
              <li key={id}>
                <Link to={`${callPage}&call=${correlationId}`}>
                  <Moment at={at} as="seconds" />: {firstFault(past)}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}
