import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { PaletteProps } from '../ui/palette.tsx'
import type { ShellOrganization } from './shell.tsx'

const Palette = lazy(() => import('../ui/palette.tsx'))

interface PaletteButtonProps {
  items: readonly { to: string; label: string }[]
  organizations: readonly ShellOrganization[]
}

/** Ctrl K. The palette itself is fetched when it is first asked for. */
export function PaletteButton({ items, organizations }: PaletteButtonProps) {
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
          <Palette groups={groupsOf(items, organizations)} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function groupsOf(
  items: PaletteButtonProps['items'],
  organizations: readonly ShellOrganization[],
): PaletteProps['groups'] {
  const keys = items.find((item) => item.label === 'Keys')
  const actions = [
    ...(keys ? [{ to: `${keys.to}/new`, label: 'Request a sandbox key', where: 'Keys' }] : []),
    { to: '/developers/organizations/new', label: 'Create an organization', where: '' },
    { to: '/account/sessions', label: 'End a session', where: 'Account' },
    { to: '/account', label: 'Change password or theme', where: 'Account' },
  ]
  return [
    { heading: 'Do', entries: actions },
    { heading: 'Go to', entries: items.map((item) => ({ ...item, where: '' })) },
    {
      heading: 'Organizations',
      entries: organizations.map(({ slug, name }) => ({
        to: `/organizations/${slug}`,
        label: name,
        where: slug,
      })),
    },
    {
      heading: 'Read',
      entries: [
        { to: '/legal/sandbox-terms', label: 'Sandbox terms', where: 'Legal' },
        { to: '/sandbox/api/v1/openapi.json', label: 'OpenAPI document', where: 'REST', document: true },
      ],
    },
  ]
}
