import type { Services } from '../../../server/services.ts'
import { Ban, CircleCheck, TriangleAlert } from '../../components/ui/icons.ts'
import { Tag } from '../../components/ui/page-parts.tsx'

/** The log's route for a path that no operation has. */
const noRoute = '*'

export type Call = Awaited<ReturnType<Services['keys']['activity']>>['rows'][number]

/** Served, refused, or failed by us. Only our own failures are red. */
export function CallStatus({ status }: { status: number }) {
  if (status >= 500) {
    return (
      <Tag tone="bad" icon={TriangleAlert}>
        {status}
      </Tag>
    )
  }
  return status >= 400 ? (
    <Tag icon={Ban}>{status}</Tag>
  ) : (
    <Tag tone="ok" icon={CircleCheck} bare>
      {status}
    </Tag>
  )
}

export const pathOf = ({ method, route }: Pick<Call, 'method' | 'route'>) =>
  `${method} ${route === noRoute ? 'an unknown path' : route}`
