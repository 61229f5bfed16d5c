import { useNavigate } from '@remix-run/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Search } from '../../components/ui/icons.ts'
import type { PaletteProps } from '../../components/ui/palette.tsx'
import { groupsOf, type PaletteContent } from './palette-groups.ts'

const Palette = lazy(() => import('./docs-palette.tsx'))

interface SearchButtonProps extends Pick<PaletteProps, 'groups'> {
  /** Keys, apps and requests are found for members of organizations only. */
  signedIn?: boolean
}

/** The palette of developers and visitors. */
export function PaletteButton({ signedIn = true, ...content }: PaletteContent) {
  return <SearchButton groups={groupsOf({ ...content, signedIn })} signedIn={signedIn} />
}

/** Opens the palette, also by Ctrl K. The palette is fetched on first use. */
export function SearchButton({ groups, signedIn = false }: SearchButtonProps) {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()

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
      <button
        className="search needs-script"
        type="button"
        data-signed-in={signedIn || undefined}
        onClick={() => setOpen(true)}
      >
        <Search className="i" />
        <span>Search or jump to</span>
        <kbd>Ctrl K</kbd>
      </button>
      {open && (
        <Suspense>
          <Palette groups={groups} signedIn={signedIn} navigate={navigate} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
