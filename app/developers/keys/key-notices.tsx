import { Form, Link } from '@remix-run/react'
import { deprecationUseDays } from '../../../server/contract/http/deprecation.ts'
import { graceChoices } from '../../../server/contract/keys/key-life.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Banner, Card, Moment, SubmitButton } from '../../components/ui/page-parts.tsx'
import { ago, counted, timeLeft } from '../../lib/dates.ts'
import { KeyPrefix } from '../../shared/keys/key-words.tsx'

interface GraceCardProps {
  expiresAt: Date
  rotatedAt: Date
  now: Date
  successor: { prefix: string; to: string } | null
  /** Addresses that used the old key since the rotation. */
  uses: readonly { ip: string; lastAt: Date; calls: number }[]
  mayChange: boolean
}

/** The grace period of a rotated key, and the addresses that still use the key. */
export function GraceCard({ expiresAt, rotatedAt, now, successor, uses, mayChange }: GraceCardProps) {
  return (
    <Card id="grace" title="This key has been rotated and expires soon">
      <div className="pad stack">
        <p>
          It works until <Moment at={expiresAt} /> ({timeLeft(expiresAt, now)}).{' '}
          {successor && (
            <>
              Its replacement is{' '}
              <Link to={successor.to}>
                <KeyPrefix prefix={successor.prefix} />
              </Link>
              .
            </>
          )}
        </p>
        {uses.length === 0 ? (
          <p>
            <strong>No calls have used it since</strong> the rotation on <Moment at={rotatedAt} />. You can
            end it now.
          </p>
        ) : (
          <p>
            <strong>It is still in use.</strong> Deploy the new key at these addresses:
          </p>
        )}
      </div>
      {uses.length > 0 && (
        <DataTable
          label="Where the old key is used"
          heads={['Address', 'Calls since the rotation', 'Last used']}
        >
          {uses.map(({ ip, calls, lastAt }) => (
            <Row key={ip}>
              <Cell>
                <code>{ip}</code>
              </Cell>
              <Cell label="Calls">{counted(calls, 'call')}</Cell>
              <Cell label="Last used">{ago(lastAt, now)}</Cell>
            </Row>
          ))}
        </DataTable>
      )}
      {mayChange && (
        <Form method="post" className="pad row items-end border-t">
          <input type="hidden" name="intent" value="grace" />
          <label className="field">
            <span className="label">Total grace period, counted from the rotation</span>
            <select className="input" name="graceHours" defaultValue="24">
              {graceChoices.map(({ hours, label }) => (
                <option key={hours} value={hours}>
                  {hours === 0 ? 'End it now' : label}
                </option>
              ))}
            </select>
          </label>
          <SubmitButton look="outline">Change grace period</SubmitButton>
        </Form>
      )}
    </Card>
  )
}

interface EndingCall {
  operation: string
  successor: string | null
  sunset: string
  calls: number
  lastAt: Date
}

/** Deprecated operations and tools that a key still calls. */
export function EndingCalls({ calls }: { calls: readonly EndingCall[] }) {
  return calls.map(({ operation, successor, sunset, calls: count, lastAt }) => (
    <Banner key={operation} tone="turn" title={`${operation} is deprecated. Its sunset is ${sunset}.`}>
      This key called it {count === 1 ? 'once' : `${count.toLocaleString('en-US')} times`} in the last{' '}
      {deprecationUseDays} days, last on <Moment at={lastAt} />.
      {successor !== null && ` Use ${successor} instead.`}{' '}
      <Link to={`${paths.versioning}#deprecation`}>How operations end</Link>
    </Banner>
  ))
}
