import { Link } from '@remix-run/react'
import { deprecationUseDays } from '../../../server/contract/http/deprecation.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { Moment } from '../../components/ui/moment.tsx'

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
    <Banner
      key={operation}
      tone="turn"
      who="Your turn."
      title={`${operation} is deprecated. Its sunset is ${sunset}.`}
    >
      This key called it {count === 1 ? 'once' : `${count.toLocaleString('en-US')} times`} in the last{' '}
      {deprecationUseDays} days, last on <Moment at={lastAt} />.
      {successor !== null && ` Use ${successor} instead.`}{' '}
      <Link to={`${paths.versioning}#deprecation`}>How operations end</Link>
    </Banner>
  ))
}
