import { CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { countFindings, type LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import { counted } from '../../lib/dates.ts'

interface LintPanelProps {
  /** null: nothing was typed yet. */
  report: LintReport | null
  /** Addresses were opened and keys fetched too. */
  whole: boolean
  /** Where the fields are, when not on this page. */
  formPath?: string
}

/** What the linter found: errors, hints, and how much is right. Each finding leads to its field. */
export function LintPanel({ report, whole, formPath = '' }: LintPanelProps) {
  if (report === null)
    return (
      <section className="card" aria-labelledby="checks" id="lint">
        <div className="head">
          <h2 id="checks">Checks</h2>
        </div>
        <p className="pad small muted">
          Save the draft to check it. A draft can be saved at any time, complete or not.
        </p>
      </section>
    )
  const { errors, hints, passed } = countFindings(report)
  return (
    <section className="card" aria-labelledby="checks" id="lint">
      <div className="head">
        <h2 id="checks">Checks</h2>
        <span className="small muted">
          {counted(errors, 'error')}, {counted(hints, 'hint')}, {passed} pass
        </span>
      </div>
      <ul className="list pad">
        {report.findings.map(({ rule, field, severity, reason, fix }) => (
          <li className={severity === 'error' ? 'finding bad' : 'finding'} key={`${rule} ${reason}`}>
            {severity === 'error' ? <TriangleAlert className="i" /> : <Info className="i" />}
            <div>
              <p>
                <a href={`${formPath}#${field}`}>
                  <b>{reason}</b>
                </a>
              </p>
              <p className="small muted">
                {severity === 'error' ? '' : 'Hint. '}
                {fix}
              </p>
            </div>
          </li>
        ))}
        <li className="finding ok">
          <CircleCheck className="i" />
          <div>
            <p>
              <b>{counted(passed, 'check')} pass</b>
            </p>
            <p className="small muted">{report.passed.join(' ')}</p>
            {!whole && <p className="small muted">Addresses and keys are opened when you run all checks.</p>}
          </div>
        </li>
      </ul>
    </section>
  )
}
