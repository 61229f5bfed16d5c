import type { ComponentState } from '../../../server/contract/status/components.ts'
import { Ban, CircleCheck, CircleHelp, TriangleAlert, Wrench } from '../../components/ui/icons.ts'
import { Tag } from '../../components/ui/page-parts.tsx'

const looks = {
  operational: { tone: 'ok', icon: CircleCheck, words: 'Operational' },
  degraded: { tone: 'quiet', icon: TriangleAlert, words: 'Degraded' },
  partial_outage: { tone: 'bad', icon: TriangleAlert, words: 'Partial outage' },
  under_maintenance: { tone: 'teal', icon: Wrench, words: 'Under maintenance' },
  down: { tone: 'bad', icon: TriangleAlert, words: 'Down' },
  major_outage: { tone: 'bad', icon: TriangleAlert, words: 'Major outage' },
  disabled: { tone: 'quiet', icon: Ban, words: 'Disabled' },
  not_available: { tone: 'quiet', icon: CircleHelp, words: 'Not checked' },
} as const

/** A state of a component in words, for people. */
export const stateWords = (state: ComponentState): string => looks[state].words

export function StateTag({ state }: { state: ComponentState }) {
  const { tone, icon, words } = looks[state]
  return (
    <Tag tone={tone} icon={icon}>
      {words}
    </Tag>
  )
}
