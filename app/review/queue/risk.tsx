import { type Risk, riskFacts, riskLevels } from '../../../server/contract/workflows/review-risk.ts'
import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from '../../components/ui/icons.ts'
import { Card, Tag } from '../../components/ui/page-parts.tsx'

const icons = { low: ShieldCheck, raised: ShieldQuestionMark, high: ShieldAlert }

export function RiskTag({ risk, bare }: { risk: Risk; bare?: boolean }) {
  const { level } = risk
  return (
    <Tag tone={level === 'high' ? 'bad' : 'quiet'} icon={icons[level]} bare={bare === true}>
      {riskLevels[level]}
    </Tag>
  )
}

/** The facts that raise the risk, in words. */
export function RiskReasons({ risk }: { risk: Risk }) {
  return (
    <Card padded="tight" id="risk" title="Risk">
      <p>
        <RiskTag risk={risk} />
      </p>
      {risk.facts.length === 0 ? (
        <p className="muted">Nothing raises the risk.</p>
      ) : (
        <ul className="stack tight plain">
          {risk.facts.map((fact) => (
            <li key={fact}>
              {riskFacts[fact].sentence}{' '}
              {riskFacts[fact].level === 'high' && <span className="muted">(high)</span>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
