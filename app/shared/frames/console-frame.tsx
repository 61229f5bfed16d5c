import { NavLink, useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { BookOpen, ChevronRight, HeartPulse } from '../../components/ui/icons.ts'
import type { PaletteProps } from '../../components/ui/palette.tsx'
import { guidePath } from '../guides/guide-path.ts'
import { SearchButton } from './palette-button.tsx'
import { covered, type NavItem, SideFrame } from './side-frame.tsx'

interface ConsoleFrameProps {
  account: { name: string; email: string }
  realm: 'staff' | 'practice'
  /** Names the navigation. */
  label: string
  items: readonly NavItem[]
  /** The name of the practice or team whose pages these are. */
  whose: ReactNode
  /** The page's name in the top bar, if it isn't the name of the navigation's entry. */
  here?: string | undefined
  /** Entries of the search besides the pages. */
  groups?: PaletteProps['groups']
  rail?: boolean
  children: ReactNode
}

/** Sidebar, top bar and the tabs of a subject, for staff and practices. */
export function ConsoleFrame({ whose, here, groups = [], children, ...frame }: ConsoleFrameProps) {
  const { pathname } = useLocation()
  const section = frame.items.find(({ tabs = [], ...item }) =>
    [item, ...tabs].some((entry) => covered(pathname, entry) > 0),
  )
  const pages = frame.items.flatMap(({ to, label, tabs }) =>
    tabs ? tabs.map((tab) => ({ to: tab.to, label: tab.label, where: label })) : [{ to, label, where: '' }],
  )
  return (
    <SideFrame
      {...frame}
      help={
        <>
          <NavLink to={guidePath(frame.realm === 'practice' ? 'practices' : 'reviewers')}>
            <BookOpen className="i" />
            Manual
          </NavLink>
          <a href={paths.status}>
            <HeartPulse className="i" />
            Status page
          </a>
        </>
      }
      crumb={
        <>
          {whose}
          <ChevronRight className="i" />
          <b className="here">{here ?? section?.label}</b>
        </>
      }
      search={<SearchButton groups={[{ heading: 'Go to', entries: pages }, ...groups]} />}
    >
      <div className="page">{children}</div>
    </SideFrame>
  )
}
