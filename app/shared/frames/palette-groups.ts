/** The palette's entries for developers and visitors before they type. */
import { paths } from '../../../server/contract/portal/paths.ts'
import type { PaletteProps } from '../../components/ui/palette.tsx'
import { docsHome, guidePath } from '../guides/guide-path.ts'
import { pagesFor } from '../search/portal-pages.ts'

/** An organization in the sidebar's list. */
export interface ShellOrganization {
  slug: string
  name: string
}

export interface PaletteContent {
  items: readonly { to: string; label: string }[]
  organizations: readonly ShellOrganization[]
  /** Visitors get only entries that need no account. */
  signedIn?: boolean
}

/** Pages that the palette offers to everyone. */
export const publicPages = [
  { to: docsHome, label: 'Documentation' },
  { to: paths.explorer, label: 'Explorer' },
  { to: guidePath('start'), label: 'Your first call in two minutes' },
  { to: paths.openLaunch, label: 'Launch an app without an account' },
  { to: paths.registrationChecks, label: 'What we check' },
  { to: paths.trust, label: 'Security and certification' },
  { to: paths.status, label: 'Status' },
]

export function groupsOf({
  items,
  organizations,
  signedIn,
}: Required<PaletteContent>): PaletteProps['groups'] {
  const keys = items.find((item) => item.label === 'Keys')
  const pages = pagesFor(signedIn)
  return [
    {
      heading: 'Actions',
      entries: [
        ...(keys ? [{ to: `${keys.to}/new`, label: 'Request a sandbox key', where: 'Keys' }] : []),
        ...pages.filter(({ group }) => group === 'do'),
      ],
    },
    { heading: 'Go to', entries: items.map((item) => ({ ...item, where: '' })) },
    {
      heading: 'Organizations',
      entries: organizations.map(({ slug, name }) => ({
        to: paths.organization(slug),
        label: name,
        where: slug,
      })),
    },
    { heading: 'Documentation', entries: pages.filter(({ group }) => group === 'read') },
  ]
}
