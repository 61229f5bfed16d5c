import { paths } from '../../../server/contract/portal/paths.ts'
import { Tabs } from '../../components/ui/tabs.tsx'

const pages = [
  { to: paths.practice, label: 'Keys and apps' },
  { to: paths.practiceExports, label: 'Exports' },
] as const
const adminPages = [
  { to: paths.practiceWithheld, label: 'Withheld patients' },
  { to: paths.practiceUse, label: 'Use' },
  { to: paths.practiceAlerts, label: 'Alerts' },
  { to: paths.practiceRecertification, label: 'Annual review' },
] as const

interface AccessTabsProps {
  here: (typeof pages)[number]['to'] | (typeof adminPages)[number]['to']
  admin: boolean
}

/** The pages about who has access. */
export function AccessTabs({ here, admin }: AccessTabsProps) {
  const shown = admin ? [...pages, ...adminPages] : pages
  return <Tabs label="Who has access" tabs={shown.map((each) => ({ ...each, current: each.to === here }))} />
}
