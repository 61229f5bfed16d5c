import { paths } from '../../server/contract/portal/paths.ts'
import type { PracticeRole } from '../../server/domain/practices/practice-role.ts'
import {
  ClipboardCheck,
  FileText,
  Inbox,
  ScrollText,
  Settings,
  ShieldCheck,
  Smartphone,
  Users,
} from '../components/ui/icons.ts'
import type { NavItem } from '../shared/frames/side-frame.tsx'

export interface FramePractice {
  slug: string
  name: string
  roles: readonly PracticeRole[]
}

/** What somebody may open at the practice that is shown. Everybody may have allowed apps and have an inbox. */
export function itemsFor(practice: FramePractice | null, inbox: number): NavItem[] {
  const isAdmin = practice?.roles.includes('admin') ?? false
  const decides = isAdmin || (practice?.roles.includes('signatory') ?? false)
  return [
    {
      to: paths.practice,
      icon: ShieldCheck,
      label: 'Who has access',
      end: true,
      within: [
        '/practice/keys',
        paths.practiceExports,
        paths.practiceWithheld,
        paths.practiceUse,
        paths.practiceAlerts,
        paths.practiceAccessReview,
        paths.practiceRecertification,
      ],
    },
    { to: paths.practiceInbox, icon: Inbox, label: 'Inbox', count: inbox },
    ...when(decides, {
      to: paths.practiceRequests,
      icon: ClipboardCheck,
      label: 'Requests',
      within: [paths.practiceSystems, '/practice/sponsorships'],
    }),
    ...when(decides, { to: paths.practiceAgreements, icon: FileText, label: 'Agreements' }),
    ...when(isAdmin, {
      to: paths.practiceAudit,
      icon: ScrollText,
      label: 'Access record',
      within: [paths.practiceDisclosures],
    }),
    ...when(isAdmin, {
      to: paths.practiceStaff,
      icon: Users,
      label: 'Staff',
      within: [paths.practiceMfaList],
    }),
    ...when(decides, { to: paths.practiceSettings, icon: Settings, label: 'Settings' }),
    { to: paths.practiceApps, icon: Smartphone, label: 'Apps you allowed' },
  ]
}

const when = (is: boolean, item: NavItem): NavItem[] => (is ? [item] : [])
