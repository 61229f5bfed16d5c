import { paths } from '../../../server/contract/portal/paths.ts'
import { Tabs } from '../../components/ui/tabs.tsx'

const pages = [
  { to: paths.practiceStaff, label: 'People and roles' },
  { to: paths.practiceMfaList, label: 'Two-step sign-in' },
] as const

/** The pages about the people of a practice. */
export function StaffTabs({ here }: { here: (typeof pages)[number]['to'] }) {
  return <Tabs label="Staff" tabs={pages.map((each) => ({ ...each, current: each.to === here }))} />
}
