import type { LintFinding } from '../../../server/contract/workflows/lint-findings.ts'
import { Card } from '../../components/ui/card.tsx'
import { CircleCheck, TriangleAlert } from '../../components/ui/icons.ts'
import { hrefOfField } from './field-path.ts'

/** Beside the form: whether the sandbox client can be what the form says. */
export function SandboxState({
  findings,
  formPath = '',
}: {
  findings: readonly LintFinding[]
  formPath?: string
}) {
  const stops = findings.filter(({ stage }) => stage === 'sandbox')
  return (
    <Card id="sandbox-state" title="Sandbox">
      <ul className="list pad">
        {stops.length === 0 && (
          <li className="finding ok">
            <CircleCheck className="i" />
            <p>The sandbox client works with this form.</p>
          </li>
        )}
        {stops.map(({ rule, field, reason, fix }) => (
          <li className="finding bad" key={`${rule} ${reason}`}>
            <TriangleAlert className="i" />
            <div>
              <p>
                <a href={hrefOfField(formPath, field)}>{reason}</a>
              </p>
              <p className="small muted">{fix}</p>
            </div>
          </li>
        ))}
      </ul>
      {stops.length > 0 && (
        <footer className="small muted">
          Until you fix this, the sandbox client stays unchanged, and you can’t submit for production.
        </footer>
      )}
    </Card>
  )
}
