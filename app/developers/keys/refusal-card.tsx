import { Link } from '@remix-run/react'
import { findFix } from '../../../server/contract/keys/refusal-fixes.ts'
import { describeRefusal } from '../../../server/contract/keys/refusal-reasons.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { Card } from '../../components/ui/card.tsx'
import { counted } from '../../lib/dates.ts'
import type { Refusal } from './refusals.ts'

interface RefusalCardProps {
  refusals: readonly Refusal[]
  /** All refused calls. */
  to: string
}

/** Why calls fail, before anybody opens a key: the cause, how often, and whose call it was. */
export function RefusalCard({ refusals, to }: RefusalCardProps) {
  if (refusals.length === 0) return null
  return (
    <Card
      id="refusals"
      title="Latest refusals"
      aside={
        <Link className="small" to={to}>
          All refused calls
        </Link>
      }
    >
      <ul className="pad list">
        {refusals.map(({ method, route, status, refusalReason, key, calls }) => (
          <li key={[key.to, method, route, status, refusalReason].join(' ')} className="row between">
            <div>
              <p>
                <code className="breaks">
                  {status} {method} {route === '*' ? 'an unknown path' : route}
                </code>
              </p>
              {refusalReason && <p>{describeRefusal(refusalReason)}</p>}
              <p className="small muted">
                <Link to={key.to}>{key.name}</Link>
              </p>
            </div>
            <span className="small muted">{counted(calls, 'call')}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type Refused = { refusal: string | null; refusalReason: string | null }

/** What to do about the refusal of a request that was looked for. */
export function Fixes({ of: calls }: { of: readonly Refused[] }) {
  const reasons = new Map(calls.map(({ refusal, refusalReason }) => [refusal, refusalReason]))
  return [...reasons].map(
    ([code, reason]) =>
      code && (
        <Banner key={code} tone="bad" title={reason}>
          {findFix(code)}
        </Banner>
      ),
  )
}
