/** The palette on a page that React has not taken over: React draws the palette and nothing else. */
import { createRoot, type Root } from 'react-dom/client'
import { allowScrollLock } from '../../lib/scroll-lock.ts'
import DocsPalette from './docs-palette.tsx'
import { groupsOf, publicPages } from './palette-groups.ts'

let drawn: Root | null = null

export function togglePalette(): void {
  if (drawn) close()
  else open()
}

function open(): void {
  allowScrollLock()
  const signedIn = document.querySelector('button.search[data-signed-in]') !== null
  const place = document.body.appendChild(document.createElement('div'))
  drawn = createRoot(place)
  drawn.render(
    <DocsPalette
      groups={groupsOf({ items: publicPages, organizations: [], signedIn })}
      signedIn={signedIn}
      navigate={(to) => location.assign(to)}
      onClose={close}
    />,
  )
}

function close(): void {
  const closing = drawn
  drawn = null
  closing?.unmount()
}
