import { productionKeyStates } from '../../../server/contract/workflows/production-key-workflow.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { Clock } from '../../components/ui/icons.ts'
import { Tag, type Tone } from '../../components/ui/page-parts.tsx'

const tones: Partial<Record<ProductionKeyView['state'], Tone>> = {
  active: 'ok',
  rotating: 'ok',
  suspended: 'bad',
  revoked: 'quiet',
  expired: 'quiet',
  withdrawn: 'quiet',
  sponsor_declined: 'quiet',
  rejected: 'quiet',
  security_hold: 'bad',
}

export function StateTag({ state }: { state: ProductionKeyView['state'] }) {
  const tone = tones[state]
  return (
    <Tag tone={tone} icon={tone ? undefined : Clock}>
      {productionKeyStates[state].name}
    </Tag>
  )
}
