import { paths } from '../../../server/contract/portal/paths.ts'
import { Tabs } from '../../components/ui/tabs.tsx'

const pages = [
  { to: paths.practiceRequests, label: 'Keys' },
  { to: paths.practiceSystems, label: 'Backend systems' },
] as const

/** The pages of requests: for keys, and of backend systems. */
export function RequestTabs({ here }: { here: (typeof pages)[number]['to'] }) {
  return <Tabs label="Requests" tabs={pages.map((each) => ({ ...each, current: each.to === here }))} />
}
