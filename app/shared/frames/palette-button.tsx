import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { PaletteProps } from '../../components/ui/palette.tsx'
import { pagesFor } from '../search/portal-pages.ts'
import type { ShellOrganization } from './shell-organization.ts'

const Palette = lazy(() => import('./docs-palette.tsx'))

interface PaletteButtonProps {
  items: readonly { to: string; label: string }[]
  organizations: readonly ShellOrganization[]
  /** Visitors are offered what needs no account. */
  signedIn?: boolean
}

interface SearchButtonProps extends Pick<PaletteProps, 'groups'> {
  /** Keys, apps and requests are found for members of organizations only. */
  signedIn?: boolean
}

/** The palette of developers and visitors. */
export function PaletteButton({ items, organizations, signedIn = true }: PaletteButtonProps) {
  return <SearchButton groups={groupsOf({ items, organizations, signedIn })} signedIn={signedIn} />
}

/** Ctrl K. The palette itself is fetched when it is first asked for. */
export function SearchButton({ groups, signedIn = false }: SearchButtonProps) {
  const [open, setOpen] = useState(false)

  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((was) => !was)
    }
    document.addEventListener('keydown', toggle)
    return () => document.removeEventListener('keydown', toggle)
  }, [])

  return (
    <>
      <button className="search needs-script" type="button" onClick={() => setOpen(true)}>
        <Search className="i" />
        <span>Search or jump to</span>
        <kbd>Ctrl K</kbd>
      </button>
      {open && (
        <Suspense>
          <Palette groups={groups} signedIn={signedIn} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function groupsOf({ items, organizations, signedIn }: Required<PaletteButtonProps>): PaletteProps['groups'] {
  const keys = items.find((item) => item.label === 'Keys')
  const offered = pagesFor(signedIn)
  return [
    {
      heading: 'Actions',
      entries: [
        ...(keys ? [{ to: `${keys.to}/new`, label: 'Request a sandbox key', where: 'Keys' }] : []),
        ...offered.filter(({ group }) => group === 'do'),
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
    { heading: 'Documentation', entries: offered.filter(({ group }) => group === 'read') },
  ]
}
