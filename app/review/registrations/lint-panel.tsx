import { countFindings, type LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import { CircleCheck, Info, TriangleAlert } from '../../components/ui/icons.ts'
import { counted } from '../../lib/dates.ts'

/** What the linter found: errors, hints, and how much is right. */
export function LintPanel({ report }: { report: LintReport }) {
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
        {report.findings.map(({ rule, severity, reason, fix }) => (
          <li className={severity === 'error' ? 'finding bad' : 'finding'} key={`${rule} ${reason}`}>
            {severity === 'error' ? <TriangleAlert className="i" /> : <Info className="i" />}
            <div>
              <p>
                <b>{reason}</b>
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
          </div>
        </li>
      </ul>
    </section>
  )
}
