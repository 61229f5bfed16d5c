import { Link } from '@remix-run/react'
import type { LintFinding, LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import type { RegistrationField } from '../../../server/contract/workflows/registration-form.ts'
import { CircleCheck, CircleDashed, TriangleAlert } from '../../components/ui/icons.ts'
import { Card } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { hrefOfField } from './typed-report.ts'

interface ListProps {
  report: Pick<LintReport, 'findings' | 'passed'>
  /** Whether URLs were opened and keys fetched, too. */
  isFullyChecked: boolean
  /** The page where the organization confirms a domain; null if it has one. */
  confirmDomain: string | null
  /** The page that has the fields, if it isn't this one. */
  formPath?: string
  /** The fields of the step, on a page with a single step. */
  fields?: readonly RegistrationField[]
}

/** The facts that production needs and the sandbox doesn’t. Each entry leads to its field. */
export function ProductionList({ report, isFullyChecked, confirmDomain, formPath = '', fields }: ListProps) {
  const ofProduction = report.findings.filter(
    ({ stage, field }) => stage === 'production' && (fields?.includes(field) ?? true),
  )
  const open = ofProduction.filter(({ severity }) => severity === 'error')
  const hints = ofProduction.filter(({ severity }) => severity === 'hint')
  const missing = open.filter((finding) => finding.missing).length
  const passed = fields ? [] : report.passed
  return (
    <Card
      id="production"
      title={fields ? 'To do in this step' : 'To do for production'}
      aside={
        <span className="small muted">
          {[missing > 0 && `${missing} to add`, open.length > missing && `${open.length - missing} to fix`]
            .filter(Boolean)
            .join(', ') || 'None'}
        </span>
      }
    >
      <ul className="list pad">
        {open.map((finding) => (
          <Finding key={`${finding.rule} ${finding.reason}`} finding={finding} formPath={formPath} />
        ))}
        {open.length === 0 && (
          <li className="finding ok">
            <CircleCheck className="i" />
            <p>
              {fields
                ? 'None. Continue.'
                : isFullyChecked
                  ? 'The form is complete.'
                  : 'Every field is filled in. We check URLs and keys when you submit.'}
            </p>
          </li>
        )}
        {confirmDomain && (
          <li className="finding">
            <CircleDashed className="i" />
            <div>
              <p>
                <Link to={confirmDomain}>Confirm a domain</Link>
              </p>
              <p className="small muted">
                You can submit without it, but the review takes longer because reviewers must verify your
                organization.
              </p>
            </div>
          </li>
        )}
      </ul>
      {(hints.length > 0 || passed.length > 0) && (
        <footer className="stack tight">
          {hints.length > 0 && (
            <details>
              <summary>{counted(hints.length, 'suggestion')}</summary>
              <ul className="list mt-3">
                {hints.map((finding) => (
                  <Finding key={`${finding.rule} ${finding.reason}`} finding={finding} formPath={formPath} />
                ))}
              </ul>
            </details>
          )}
          {passed.length > 0 && (
            <details>
              <summary>{counted(passed.length, 'check')} passed</summary>
              <ul className="stack tight mt-3 small muted">
                {passed.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            </details>
          )}
        </footer>
      )}
    </Card>
  )
}

function Finding({ finding, formPath }: { finding: LintFinding; formPath: string }) {
  const { field, missing, severity, reason, fix } = finding
  const Icon = severity === 'error' && !missing ? TriangleAlert : CircleDashed
  return (
    <li className="finding">
      <Icon className="i" />
      <div>
        <p>
          <a href={hrefOfField(formPath, field)}>{reason}</a>
        </p>
        <p className="small muted">{fix}</p>
      </div>
    </li>
  )
}
