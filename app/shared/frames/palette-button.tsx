import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { errorPage } from '../../../server/contract/rest/error-codes.ts'
import type { PaletteProps } from '../../components/ui/palette.tsx'
import { docsHome } from '../guides/list.ts'
import type { ShellOrganization } from './shell-organization.ts'

const Palette = lazy(() => import('./docs-palette.tsx'))

interface PaletteButtonProps {
  items: readonly { to: string; label: string }[]
  organizations: readonly ShellOrganization[]
  /** Visitors are offered what needs no account. */
  signedIn?: boolean
}

/** Ctrl K. The palette itself is fetched when it is first asked for. */
export function PaletteButton({ items, organizations, signedIn = true }: PaletteButtonProps) {
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
          <Palette groups={groupsOf({ items, organizations, signedIn })} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function groupsOf({ items, organizations, signedIn }: Required<PaletteButtonProps>): PaletteProps['groups'] {
  const keys = items.find((item) => item.label === 'Keys')
  const forEverybody = [
    { to: paths.explorerOperation('listPatients'), label: 'Call the API from here', where: 'Explorer' },
    { to: paths.keys, label: 'Get a sandbox key', where: 'Keys' },
    { to: paths.reportKey, label: 'Report a leaked key', where: 'Keys' },
  ]
  const own = [
    ...(keys ? [{ to: `${keys.to}/new`, label: 'Request a sandbox key', where: 'Keys' }] : []),
    { to: paths.explorerOperation('listPatients'), label: 'Call the API from here', where: 'Explorer' },
    { to: paths.explorerHistory, label: 'Calls you made here', where: 'Explorer' },
    { to: paths.keyDoctor, label: 'Find out why a call was refused', where: 'Key Doctor' },
    { to: paths.reportKey, label: 'Report a leaked key', where: 'Keys' },
    { to: paths.newOrganization, label: 'Create an organization', where: '' },
    { to: paths.sessions, label: 'End a session', where: 'Account' },
    { to: paths.account, label: 'Change password or theme', where: 'Account' },
  ]
  return [
    { heading: 'Do', entries: signedIn ? own : forEverybody },
    { heading: 'Go to', entries: items.map((item) => ({ ...item, where: '' })) },
    {
      heading: 'Organizations',
      entries: organizations.map(({ slug, name }) => ({
        to: paths.organization(slug),
        label: name,
        where: slug,
      })),
    },
    {
      heading: 'Read',
      entries: [
        { to: docsHome, label: 'All guides', where: 'Documentation' },
        { to: paths.sandboxKeys, label: 'How a sandbox key is issued', where: 'Keys' },
        { to: errorPage(), label: 'Errors explained', where: 'REST' },
        { to: paths.mcpGuide, label: 'MCP server', where: 'AI assistants' },
        { to: paths.directory, label: 'Practice directory', where: 'FHIR' },
        { to: paths.sandboxTerms, label: 'Sandbox terms', where: 'Legal' },
        { to: '/sandbox/api/v1/openapi.json', label: 'OpenAPI document', where: 'REST', document: true },
      ],
    },
  ]
}
